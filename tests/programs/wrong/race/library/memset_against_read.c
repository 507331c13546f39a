/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <pthread.h>
#include <string.h>

char buffer[256];
int sum;

static void *clear(void *arg)
{
    (void)arg;
    memset(buffer, 0, sizeof buffer);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    sum = buffer[100];
    pthread_join(t, NULL);
    return 0;
}
