/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* mode: all */
/* named: structures that calls return at */
/* note: a structure of 40 bytes, returned in memory, is stored without the lock */
#include <pthread.h>

struct record {
    long fields[5];
};
static struct record shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
long seen;

static __attribute__((noinline)) struct record make(long n)
{
    struct record r = {{n, 2, 3, 4, 5}};
    return r;
}

static void *writer(void *unused)
{
    (void)unused;
    shared = make(1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = shared.fields[4];
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
