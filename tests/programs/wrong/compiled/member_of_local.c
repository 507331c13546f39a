/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: results of threads in an array of main's are read before the threads are joined */
#include <pthread.h>

struct work {
    int argument, result;
};

static void *square(void *arg)
{
    struct work *w = arg;
    w->result = w->argument * w->argument;
    return NULL;
}

int main(void)
{
    struct work works[2] = {{1, 0}, {2, 0}};
    pthread_t threads[2];
    int sum = 0;
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, square, &works[k]);
    for (int k = 0; k < 2; k++)
        sum += works[k].result;
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return sum < 0;
}
