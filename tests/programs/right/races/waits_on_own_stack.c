/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* rc11: violated use-after-return */
/* machine: x86-64 */
/* flags-plumb: --races=allow --memory sc */
/* note: a thread waits for a word on its own stack, as in a queue lock, before any other thread has been seen to access it */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) waiting;

static void *wait_for_other(void *arg)
{
    int waits = 1;
    atomic_store(&waiting, &waits);
    while (waits)
        __asm__ volatile(".rept 400\n\tnop\n\t.endr" ::
                             : "memory"); /* the search for endless loops counts instructions */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_other, NULL);
    int *word;
    while (!(word = atomic_load(&waiting)))
        continue;
    *word = 0;
    pthread_join(thread, NULL);
}
