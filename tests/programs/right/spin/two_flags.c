/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: one round of the loop reads two locations; either of them may end it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flags[2];
static int data[2];

static void *writer(void *arg)
{
    int me = (int)(intptr_t)arg;
    data[me] = 1;
    atomic_store(&flags[me], 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, (void *)0);
    pthread_create(&b, NULL, writer, (void *)1);
    while (!atomic_load(&flags[0]) && !atomic_load(&flags[1]))
        ;
    assert(atomic_load(&flags[0]) ? data[0] : data[1]);
    while (atomic_load(&flags[0]) + atomic_load(&flags[1]) < 2)
        ;
    assert(data[0] && data[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
