/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* only: gcc */
/* mode: dfs */
/* flags-plumb: --reuse */
/* note: of two freed blocks either may come back */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *free_one(void *block)
{
    free(block);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    void *first = malloc(40), *second = malloc(40);
    unsigned long one = (unsigned long)first, two = (unsigned long)second;
    pthread_create(&a, NULL, free_one, first);
    pthread_create(&b, NULL, free_one, second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    void *third = malloc(33), *fourth = malloc(48);
    assert((unsigned long)third != two || (unsigned long)fourth != one);
    free(third);
    free(fourth);
}
