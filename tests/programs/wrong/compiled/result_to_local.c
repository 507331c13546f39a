/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* known-gcc: holds */
/* named-gcc: structures by value */
/* note: a structure that comes back in registers is stored to a variable that another thread writes */
#include <pthread.h>

struct pair {
    long first, second;
};

__attribute__((noinline)) static struct pair make(long n)
{
    return (struct pair){n, n + 1};
}

static void *write_second(void *arg)
{
    ((struct pair *)arg)->second = 1;
    return NULL;
}

int main(void)
{
    struct pair own = {0, 0};
    pthread_t t;
    pthread_create(&t, NULL, write_second, &own);
    own = make(2);
    pthread_join(t, NULL);
    return own.first == 9;
}
