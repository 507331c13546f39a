/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int items, taken;

static int consumer(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    while (items == 0)
        cnd_wait(&changed, &lock);
    items--;
    taken++;
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&a, consumer, NULL);
    thrd_create(&b, consumer, NULL);
    mtx_lock(&lock);
    items++;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    mtx_lock(&lock);
    items++;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(items == 0 && taken == 2);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
