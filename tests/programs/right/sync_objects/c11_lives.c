/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* all: skipped */
/* note: every object of C11 from its beginning to its end */
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;
static int done;

static void once(void)
{
    done = 1;
}

static int work(void *arg)
{
    tss_set(key, &key);
    mtx_lock(&m);
    call_once(&flag, once);
    cnd_signal(&c);
    mtx_unlock(&m);
    return arg == tss_get(key);
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_timed | mtx_recursive);
    cnd_init(&c);
    tss_create(&key, NULL);
    thrd_create(&t, work, NULL);
    if (mtx_timedlock(&m, &(struct timespec){.tv_sec = 1}) == thrd_success)
        mtx_unlock(&m); /* waiting gives back one level only */
    mtx_lock(&m);
    while (!done)
        cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(t, NULL);
    tss_delete(key);
    cnd_destroy(&c);
    return 0;
}
