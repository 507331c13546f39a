/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: plain, recursive and timed ones, try included */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static int a, b, c;

static int work(void *arg)
{
    (void)arg;
    mtx_lock(&plain);
    a++;
    mtx_unlock(&plain);
    mtx_lock(&recursive);
    mtx_lock(&recursive);
    b++;
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    struct timespec limit;
    timespec_get(&limit, TIME_UTC);
    limit.tv_sec += 1;
    int got = mtx_timedlock(&timed, &limit);
    assert(got == thrd_success || got == thrd_timedout);
    if (got == thrd_success) {
        c++;
        mtx_unlock(&timed);
    }
    return got == thrd_success;
}

int main(void)
{
    thrd_t t;
    int result;
    mtx_init(&plain, mtx_plain);
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    thrd_create(&t, work, NULL);
    int mine = work(NULL);
    thrd_join(t, &result);
    assert(a == 2 && b == 2 && c == mine + result);
    assert(mtx_trylock(&plain) == thrd_success);
    assert(mtx_trylock(&plain) == thrd_busy);
    mtx_unlock(&plain);
    mtx_destroy(&plain);
    mtx_destroy(&recursive);
    mtx_destroy(&timed);
    return 0;
}
