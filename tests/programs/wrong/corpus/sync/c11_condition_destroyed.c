/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse */
/* mode: all */
/* note: the C11 condition variable is destroyed while a thread still waits for it */
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int waiter(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, waiter, NULL);
    mtx_lock(&lock);
    cnd_destroy(&changed);
    ready = 1;
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    return 0;
}
