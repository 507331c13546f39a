/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* Who draws first gets the first number: drawing is no step, so only one order is tried. */
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
