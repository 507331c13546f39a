/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a counter that says when to yield is looked at after the loop */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wait_for(void *arg)
{
    int n = 0, yields = 0;
    while (!atomic_load(&flag))
        if (++n == 2) {
            sched_yield();
            n = 0;
            yields++;
        }
    assert(yields != 2 || n != 1);
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_for, NULL);
    pthread_create(&two, NULL, set, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
