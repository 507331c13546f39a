/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: what lies beside bit-fields, long double and wide vectors is another location */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef int wide __attribute__((vector_size(32)));

static struct {
    unsigned first : 3, second : 9, third : 10;
    char last;
    int : 0;
    unsigned long long long_one : 40;
    char after[3];
    long double number;
    volatile long double another;
    wide vector;
    int end;
} all = {.long_one = 5, .number = 1.5L, .end = 3};

static void *write_others(void *arg)
{
    all.last = 1;
    all.after[0] = 2;
    all.end += 1;
    long double own[2] = {2, all.another}, *address = &own[1];
    assert(own[0] * *address == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_others, NULL);
    all.second = 7;
    all.long_one += all.second;
    all.number *= 2;
    all.vector += 1;
    pthread_join(t, NULL);
    assert(all.long_one == 12 && all.number == 3 && all.vector[7] == 1 && all.end == 4 && all.last == 1);
    return 0;
}
