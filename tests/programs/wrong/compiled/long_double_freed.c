/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* note: ten bytes are written while their block is freed */
#include <pthread.h>
#include <stdlib.h>

static void *store(void *arg)
{
    *(long double *)arg = 1.5L;
    return NULL;
}

int main(void)
{
    pthread_t t;
    long double *number = calloc(1, sizeof *number);
    pthread_create(&t, NULL, store, number);
    free(number);
    pthread_join(t, NULL);
    return 0;
}
