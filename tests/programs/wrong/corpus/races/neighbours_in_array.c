/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: two workers use a slot each; the second one is given the number of the first */
#include <pthread.h>
#include <stdint.h>

static char slots[2];

static void *worker(void *arg)
{
    slots[(intptr_t)arg]++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, (void *)0);
    pthread_create(&b, NULL, worker, (void *)0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
