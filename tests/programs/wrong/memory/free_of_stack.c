/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated invalid-free */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    free(arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char buffer[64] = {0};
    pthread_create(&t, NULL, work, buffer);
    pthread_join(t, NULL);
    return buffer[0];
}
