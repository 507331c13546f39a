/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: writes again right after the barrier, while the other still reads */
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t meet;
int cells[2], seen[2];

static void *phase(void *arg)
{
    int me = (int)(intptr_t)arg;
    cells[me] = 1;
    pthread_barrier_wait(&meet);
    seen[me] = cells[!me];
    cells[me] = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t, NULL, phase, (void *)1);
    phase((void *)0);
    pthread_join(t, NULL);
    return 0;
}
