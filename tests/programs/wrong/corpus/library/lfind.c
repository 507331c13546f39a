/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: lfind reads a count that another thread writes */
#include <pthread.h>
#include <search.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int values[3] = {1, 2, 3};
int key = 3;
size_t count = 3;
void *seen;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void *one(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    count = 2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    seen = lfind(&key, values, &count, sizeof values[0], compare);
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
