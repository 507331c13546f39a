/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: frames have words that nothing is written to. What earlier executions left there is no part of a thread's state: the
 * first execution, in which a thread is held, is the same when it is repeated. */
#include <pthread.h>
#include <stdatomic.h>

enum { WORDS = 32 };
static atomic_int ready, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int try_once(void)
{
    int taken = pthread_mutex_trylock(&lock) == 0;
    if (taken)
        pthread_mutex_unlock(&lock);
    return taken;
}

static __attribute__((noinline)) void wait_under_lock(void)
{
    int words[WORDS] __attribute__((uninitialized));
    __asm__ volatile("" ::"r"(words) : "memory"); /* it has to be there */
    try_once();
    do {
        pthread_mutex_lock(&lock);
        words[0] = atomic_load(&ready);
        pthread_mutex_unlock(&lock);
    } while (words[0] == 0);
}

static __attribute__((noinline)) void set_and_try(void)
{
    int words[WORDS] __attribute__((uninitialized));
    __asm__ volatile("" ::"r"(words) : "memory");
    pthread_mutex_lock(&lock);
    atomic_store(&ready, 1);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    while (!try_once())
        continue;
    words[1] = atomic_load(&other);
    words[2] = try_once();
    words[3] = try_once();
    __asm__ volatile("" ::"r"(words) : "memory");
}

/* On the stack where the frame was. */
static __attribute__((noinline)) void scribble(void)
{
    int words[2 * WORDS];
    for (int k = 0; k < 2 * WORDS; k++)
        words[k] = 7 * k;
    __asm__ volatile("" ::"r"(words) : "memory");
}

static void *wait_thread(void *arg)
{
    wait_under_lock();
    scribble();
    return arg;
}

static void *set_thread(void *arg)
{
    set_and_try();
    scribble();
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_thread, NULL);
    pthread_create(&two, NULL, set_thread, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
