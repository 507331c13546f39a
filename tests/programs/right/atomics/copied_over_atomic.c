/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a structure is copied to where an atomic variable was: compilers announce the write first, then the read */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long first, second;
};

union place {
    atomic_int flag;
    struct pair pair;
};

static void *set(void *arg)
{
    atomic_store(&((union place *)arg)->flag, 1);
    return NULL;
}

static void copy(union place *to, const struct pair *from)
{
    to->pair = *from;
}

int main(void)
{
    static struct pair source = {0x123456789, 2};
    union place here = {0};
    pthread_t t;
    pthread_create(&t, NULL, set, &here);
    while (!atomic_load(&here.flag))
        ;
    pthread_join(t, NULL);
    copy(&here, &source);
    struct pair again = here.pair;
    assert(again.first == 0x123456789 && again.second == 2);
    return 0;
}
