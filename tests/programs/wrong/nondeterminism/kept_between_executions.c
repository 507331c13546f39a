/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* all: inconclusive */
/* note: counts executions in memory that is not put back: the error does not come again in a new process */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int *count;

static __attribute__((constructor)) void prepare(void)
{
    count = (atomic_int *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                  -1, 0);
}

static void *work(void *unused)
{
    (void)unused;
    assert(atomic_fetch_add(count, 1) < 5);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
