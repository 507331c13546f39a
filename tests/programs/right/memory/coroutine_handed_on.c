/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* note: a coroutine is begun by one thread, ended by another, which frees its stack */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>

enum { SIZE = 1 << 16 };

static ucontext_t coroutine, back[2];
static int owner, steps;
static atomic_int ready;

static void run(void)
{
    steps = 1;
    swapcontext(&coroutine, &back[owner]);
    steps++;
    swapcontext(&coroutine, &back[owner]);
}

static void *finish(void *stack)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire)) {
    }
    owner = 1;
    swapcontext(&back[1], &coroutine);
    assert(steps == 2);
    free(stack);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *stack = malloc(SIZE);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = SIZE;
    makecontext(&coroutine, run, 0);
    pthread_create(&t, NULL, finish, stack);
    swapcontext(&back[0], &coroutine);
    atomic_store_explicit(&ready, 1, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
