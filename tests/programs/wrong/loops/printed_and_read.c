/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a thread prints how many rounds it waited, into memory that the program looks at */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int ready;
static char *text;
static size_t length;
static FILE *log_stream;

static void *wait(void *arg)
{
    int rounds = 0;
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        rounds++;
    fprintf(log_stream, "%d", rounds);
    return arg;
}

static void *allow(void *arg)
{
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    log_stream = open_memstream(&text, &length);
    pthread_create(&one, NULL, wait, NULL);
    pthread_create(&two, NULL, allow, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    fclose(log_stream);
    assert(length != 1 || text[0] != '3');
    free(text);
    return 0;
}
