/* SPDX-License-Identifier: Apache-2.0 */
/* One kind of work, chosen by macros: ATOMICS fetch_adds in each of THREADS threads, PLAINS plain writes
 * in main, GLOBALS bytes of static data that is written in TOUCHED places. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ATOMICS
#define ATOMICS 0
#endif
#ifndef THREADS
#define THREADS 0
#endif
#ifndef PLAINS
#define PLAINS 0
#endif
#ifndef GLOBALS
#define GLOBALS 8
#endif
#ifndef TOUCHED
#define TOUCHED 1
#endif

char data[GLOBALS] = {1}; /* not static: the compiler has to keep it */
atomic_int counter;
int plain[64];

static void *work(void *argument)
{
    for (int k = 0; k < ATOMICS; k++)
        atomic_fetch_add(&counter, 1);
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS + 1];
    for (int k = 0; k < THREADS; k++)
        pthread_create(&threads[k], NULL, work, NULL);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    if (!THREADS)
        work(NULL);
    for (int k = 0; k < PLAINS; k++)
        plain[k % 64] = k;
    for (size_t k = 0; k < TOUCHED; k++)
        data[k * (GLOBALS / TOUCHED)]++;
    return data[0] == 2 ? 0 : 1; /* a reset that does not happen fails */
}
