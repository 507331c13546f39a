/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated unlock-not-held */
#include <threads.h>

static mtx_t lock;

static int work(void *arg)
{
    (void)arg;
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    mtx_lock(&lock);
    thrd_create(&t, work, NULL);
    thrd_join(t, NULL);
    mtx_unlock(&lock);
    return 0;
}
