/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --leaks */
/* note: everything is freed, or still reachable from a global at the end */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(char *) slot;

static void *put(void *arg)
{
    char *mine = strdup(arg);
    free(atomic_exchange(&slot, mine));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, put, "one");
    pthread_create(&b, NULL, put, "two");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_exchange(&slot, NULL));
    return 0;
}
