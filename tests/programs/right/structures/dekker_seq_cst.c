/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int counter;

static void *add(void *arg)
{
    int me = (int)(intptr_t)arg;
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[!me]))
        if (atomic_load(&turn) != me) {
            atomic_store(&wants[me], 0);
            while (atomic_load(&turn) != me)
                ;
            atomic_store(&wants[me], 1);
        }
    counter++;
    atomic_store(&turn, !me);
    atomic_store(&wants[me], 0);
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
