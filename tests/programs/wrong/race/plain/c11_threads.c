/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the second thread forgets the lock */
#include <threads.h>

static mtx_t lock;
int counter;

static int careful(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    counter++;
    mtx_unlock(&lock);
    return 0;
}

static int careless(void *arg)
{
    (void)arg;
    counter++;
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, careful, NULL);
    thrd_create(&b, careless, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
