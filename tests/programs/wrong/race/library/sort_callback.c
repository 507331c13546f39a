/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the comparison, called by the library, reads what another thread writes */
#include <pthread.h>
#include <stdlib.h>

int descending;

static int compare(const void *a, const void *b)
{
    int order = *(const int *)a - *(const int *)b;
    return descending ? -order : order;
}

static void *turn(void *arg)
{
    (void)arg;
    descending = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int v[] = {3, 1, 2};
    pthread_create(&t, NULL, turn, NULL);
    qsort(v, 3, sizeof *v, compare);
    pthread_join(t, NULL);
    return 0;
}
