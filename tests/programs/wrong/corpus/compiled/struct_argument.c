/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* mode: all */
/* note: a structure of 40 bytes is passed by value while another thread writes it */
#include <pthread.h>

struct record {
    long fields[5];
};
static struct record shared;
long seen;

static __attribute__((noinline)) long last(struct record r)
{
    return r.fields[4];
}

static void *writer(void *unused)
{
    (void)unused;
    shared.fields[4] = 1;
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    seen = last(shared);
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
