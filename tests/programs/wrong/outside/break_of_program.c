/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the thread that comes first gets the lower address */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static char *parts[2];

static void *grow(void *part)
{
    *(char **)part = sbrk(16);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, grow, &parts[0]);
    pthread_create(&two, NULL, grow, &parts[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    int in_order = parts[0] < parts[1];
    sbrk(-32);
    assert(in_order);
    return 0;
}
