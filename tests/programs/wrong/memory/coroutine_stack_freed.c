/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* note: a thread frees the stack of a coroutine, and nothing orders that with another thread that goes on there */
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

enum { SIZE = 1 << 16 };

static ucontext_t coroutine, back;
static int steps;

static void run(void)
{
    int more = 0;
    swapcontext(&coroutine, &back);
    more++;
    steps += more;
    swapcontext(&coroutine, &back);
}

static void *freer(void *stack)
{
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
    swapcontext(&back, &coroutine);
    pthread_create(&t, NULL, freer, stack);
    swapcontext(&back, &coroutine);
    pthread_join(t, NULL);
    return 0;
}
