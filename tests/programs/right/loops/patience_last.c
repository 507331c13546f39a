/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: what the last of five thousand looks found decides what comes next */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int data;

static void *look(void *arg)
{
    int found, left = 5000;
    do
        found = atomic_load_explicit(&state, memory_order_acquire);
    while (found == 0 && --left > 0);
    if (found == 1)
        assert(data == 1);
    return arg;
}

int main(void)
{
    pthread_t reader;
    pthread_create(&reader, NULL, look, NULL);
    data = 1;
    atomic_store_explicit(&state, 1, memory_order_release);
    pthread_join(reader, NULL);
    return 0;
}
