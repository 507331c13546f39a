/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: seven bytes are passed by value, which gcc loads together with the neighbour that another thread writes */
#include <pthread.h>

struct seven {
    char bytes[7];
};
static struct seven neighbours[2];

__attribute__((noinline)) static int first(struct seven s)
{
    return s.bytes[0];
}

static void *read_one(void *unused)
{
    return first(neighbours[0]) ? NULL : unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, read_one, NULL);
    neighbours[1].bytes[0] = 1;
    pthread_join(t, NULL);
    return 0;
}
