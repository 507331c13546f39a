/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <threads.h>

static mtx_t first, second;

static int forward(void *arg)
{
    (void)arg;
    mtx_lock(&first);
    mtx_lock(&second);
    mtx_unlock(&second);
    mtx_unlock(&first);
    return 0;
}

static int backward(void *arg)
{
    (void)arg;
    mtx_lock(&second);
    mtx_lock(&first);
    mtx_unlock(&first);
    mtx_unlock(&second);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&first, mtx_plain);
    mtx_init(&second, mtx_plain);
    thrd_create(&a, forward, NULL);
    thrd_create(&b, backward, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
