/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <pthread.h>

int counter;

static void *add(void *arg)
{
    (void)arg;
    counter++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
