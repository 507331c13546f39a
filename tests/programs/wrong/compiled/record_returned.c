/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* note: the function writes what it returns to the caller's memory, which another thread reads */
#include <pthread.h>

struct record {
    long fields[6];
};
static struct record shared;

__attribute__((noinline)) static struct record make(long n)
{
    struct record r = {{n, 1}};
    r.fields[4] = n;
    return r;
}

static void *write_record(void *unused)
{
    shared = make(3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_record, NULL);
    long seen = shared.fields[5];
    pthread_join(t, NULL);
    return seen == 7;
}
