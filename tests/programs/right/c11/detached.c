/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static mtx_t lock;
static cnd_t finished;
static int done;

static int work(void *arg)
{
    (void)arg;
    mtx_lock(&lock);
    done = 1;
    cnd_signal(&finished);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&finished);
    thrd_create(&t, work, NULL);
    assert(thrd_detach(t) == thrd_success);
    mtx_lock(&lock);
    while (!done)
        cnd_wait(&finished, &lock);
    mtx_unlock(&lock);
    return 0;
}
