/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Memory that is mapped by the number of the call is at the same address in every execution. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int *shared;

static void *add(void *unused)
{
    atomic_fetch_add(shared, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    unsigned char there[2];
    shared =
        (void *)syscall(SYS_mmap, NULL, 8192L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(*shared == 2);
    assert(syscall(SYS_mprotect, shared, 4096L, PROT_READ) == 0 && *shared == 2);
    assert(syscall(SYS_mincore, shared, 8192L, there) == 0);
    syscall(SYS_munmap, shared, 8192L);
    return 0;
}
