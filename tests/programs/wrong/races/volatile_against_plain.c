/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* flags-plumb: --volatile=relaxed */
/* note: an access through another pointer is not volatile */
#include <pthread.h>

volatile int shared;

static void *write_it(void *arg)
{
    *(int *)arg = 2;
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, write_it, (void *)&shared);
    int found = shared;
    pthread_join(a, NULL);
    return found == 1;
}
