/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: Lamport's bakery for two; wrong: no flag that says that a number is being drawn */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool choosing[2];
static atomic_int number[2];
static int counter;

static int draw(void)
{
    int a = atomic_load(&number[0]), b = atomic_load(&number[1]);
    return 1 + (a > b ? a : b);
}

static bool is_before(int other, int self)
{
    int theirs = atomic_load(&number[other]), mine = atomic_load(&number[self]);
    return theirs != 0 && (theirs < mine || (theirs == mine && other < self));
}

static void *run(void *arg)
{
    int self = (int)(long)arg, other = 1 - self;
    atomic_store(&choosing[self], true);
    atomic_store(&number[self], draw());
    atomic_store(&choosing[self], false);
#ifndef WRONG
    while (atomic_load(&choosing[other]))
        ;
#endif
    while (is_before(other, self))
        ;
    counter++;
    atomic_store(&number[self], 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, (void *)0);
    pthread_create(&two, NULL, run, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
