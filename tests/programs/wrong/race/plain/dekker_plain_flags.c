/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <pthread.h>
#include <stdint.h>

int wants[2], counter;

static void *add(void *arg)
{
    int me = (int)(intptr_t)arg;
    wants[me] = 1;
    if (!wants[!me])
        counter++;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, (void *)1);
    add((void *)0);
    pthread_join(t, NULL);
    return 0;
}
