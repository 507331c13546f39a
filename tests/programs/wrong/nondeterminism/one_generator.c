/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: who draws first gets the first number; what a thread draws is its own affair here, and the same each time */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int numbers[2];

static void *draw(void *to)
{
    *(int *)to = rand();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    srand(1);
    int first = rand();
    srand(1);
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, draw, &numbers[k]);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    assert(numbers[0] == first);
    return 0;
}
