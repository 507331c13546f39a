/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two threads one after the other on a stack of the program's, which looks afterwards how much of it they needed */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 17, UNUSED = 0x5a };

static int sum;

static void *work(void *arg)
{
    sum += *(int *)arg;
    return NULL;
}

int main(void)
{
    char *stack = aligned_alloc(4096, SIZE);
    memset(stack, UNUSED, SIZE);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, SIZE);
    for (int k = 1; k < 3; k++) {
        pthread_t t;
        pthread_create(&t, &attributes, work, &k);
        pthread_join(t, NULL);
    }
    pthread_attr_destroy(&attributes);
    size_t unused = 0;
    while (unused < SIZE && stack[unused] == UNUSED)
        unused += 4096;
    free(stack);
    assert(sum == 3 && unused);
    return 0;
}
