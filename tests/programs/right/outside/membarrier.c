/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* sc: holds */
/* note: a fence in every thread, which sc alone does not need */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
static atomic_int x, y;
static int r1, r2;
static void *slow(void *u)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}
int main(void)
{
    pthread_t t;
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    pthread_create(&t, 0, slow, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, 0);
    assert(r1 || r2);
}
