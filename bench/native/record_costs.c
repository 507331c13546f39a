/* SPDX-License-Identifier: Apache-2.0 */
/* usage: record_costs FILE THREADS OPERATIONS LOOP
 * Nanoseconds of an operation in a loop: processor time of its thread, and time. LOOP: empty, increment, each with -recorded behind it or not. */
#include <plumb/record.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS_MAX = 64 };

static long operations;
static bool is_recorded, increments;
static _Alignas(128) _Atomic long counter;
static _Alignas(128) _Atomic long processor_time;

static long nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void operate(void)
{
    if (increments)
        atomic_fetch_add(&counter, 1);
    else
        __asm__ volatile("" ::: "memory");
}

static void *loop(void *unused)
{
    (void)unused;
    long begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < operations; i++) {
        if (is_recorded)
            plumb_call("counter", "add", 1);
        operate();
        if (is_recorded)
            plumb_return(plumb_ok());
    }
    processor_time += nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin;
    return NULL;
}

int main(int count, char **words)
{
    pthread_t threads[THREADS_MAX];
    if (count != 5)
        return 2;
    long number = atol(words[2]);
    operations = atol(words[3]);
    increments = strncmp(words[4], "increment", 9) == 0;
    is_recorded = strstr(words[4], "-recorded") != NULL;
    if (number < 1 || number > THREADS_MAX || (strcmp(words[1], "none") && plumb_record_open(words[1]) != 0))
        return 2;
    long begin = nanoseconds(CLOCK_MONOTONIC);
    for (long i = 0; i < number; i++)
        pthread_create(&threads[i], NULL, loop, NULL);
    for (long i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    double time = (double)(nanoseconds(CLOCK_MONOTONIC) - begin);
    fprintf(stderr, "%-20s %2ld threads %7.1f ns of processor time, %7.1f ns, %.2f million operations/s\n",
            words[4], number, (double)processor_time / (double)(number * operations),
            time / (double)operations, 1e3 * (double)(number * operations) / time);
    return plumb_record_close();
}
