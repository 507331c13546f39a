/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdlib.h>

int seen;

static void *compute(void *unused)
{
    (void)unused;
    int *result = malloc(sizeof *result);
    *result = 42;
    return result;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, compute, NULL);
    pthread_join(t, &result);
    seen = *(int *)result;
    free(result);
    return 0;
}
