/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int setter(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    ready = 1;
    mtx_unlock(&lock);
    cnd_signal(&changed);
    return 0;
}

int main(void)
{
    thrd_t t;
    struct timespec limit;
    int result = thrd_success;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, setter, NULL);
    timespec_get(&limit, TIME_UTC);
    limit.tv_sec += 1;
    mtx_lock(&lock);
    while (!ready && result == thrd_success)
        result = cnd_timedwait(&changed, &lock, &limit);
    assert(ready || result == thrd_timedout);
    mtx_unlock(&lock);
    thrd_join(t, NULL);
    return 0;
}
