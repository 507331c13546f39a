/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: what comes after an assumption happens, although it fails when it is run first */
#include <assert.h>
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *wait(void *unused)
{
    plumb_assume(atomic_load_explicit(&flag, memory_order_acquire) == 1);
#ifdef WRONG
    assert(data != 1);
#else
    assert(data == 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, wait, 0);
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(a, 0);
    return 0;
}
