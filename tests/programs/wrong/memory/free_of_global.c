/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
#include <pthread.h>
#include <stdlib.h>

int global[8];
int *volatile pointer = global;

static void *work(void *arg)
{
    (void)arg;
    free(pointer);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
