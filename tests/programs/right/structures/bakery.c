/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int choosing[2], number[2];
static int counter;

static void *add(void *arg)
{
    int me = (int)(intptr_t)arg, other = !me;
    atomic_store(&choosing[me], 1);
    int mine = 1 + atomic_load(&number[other]);
    atomic_store(&number[me], mine);
    atomic_store(&choosing[me], 0);
    while (atomic_load(&choosing[other]))
        ;
    for (;;) {
        int theirs = atomic_load(&number[other]);
        if (theirs == 0 || theirs > mine || (theirs == mine && me < other))
            break;
    }
    counter++;
    atomic_store(&number[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, (void *)0);
    pthread_create(&b, NULL, add, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
