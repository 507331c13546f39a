/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: qsort sorts an array that another thread reads */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int values[3] = {3, 1, 2};
int seen;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = values[0];
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    qsort(values, 3, sizeof values[0], compare);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
