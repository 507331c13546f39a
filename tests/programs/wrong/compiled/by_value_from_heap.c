/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* note: a structure that a pointer leads to is passed by value, in memory, while another thread writes it */
#include <pthread.h>
#include <stdlib.h>

struct record {
    long fields[5];
};
struct pair {
    struct record first, second;
};

static __attribute__((noinline)) long last(int number, struct record r)
{
    return r.fields[number];
}

static void *reader(void *arg)
{
    struct pair *pairs = arg;
    return last(3, pairs[1].second) == 1 ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    struct pair *pairs = calloc(2, sizeof *pairs);
    pthread_create(&t, NULL, reader, pairs);
    pairs[1].second.fields[4] = 1;
    pthread_join(t, NULL);
    free(pairs);
    return 0;
}
