/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: tss with destructor, call_once, thread_local, yield and sleep */
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static int destroyed, initialised;
static thread_local int local = 5;

static void destroy(void *p)
{
    mtx_lock(&lock);
    destroyed++;
    mtx_unlock(&lock);
    free(p);
}

static void initialise(void)
{
    initialised++;
    tss_create(&key, destroy);
}

static int work(void *arg)
{
    (void)arg;
    call_once(&once, initialise);
    assert(local++ == 5);
    assert(tss_get(key) == NULL);
    tss_set(key, malloc(8));
    thrd_yield();
    thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    assert(tss_get(key) != NULL && local == 6);
    return 0;
}

int main(void)
{
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    thrd_create(&a, work, NULL);
    thrd_create(&b, work, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(initialised == 1 && destroyed == 2 && local == 5);
    tss_delete(key);
    return 0;
}
