/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

void *use(void *variable)
{
    *(int *)variable = 1;
    return 0;
}

void begin(pthread_t *t)
{
    int own = 0;
    pthread_create(t, 0, use, &own);
}

int main(void)
{
    pthread_t t;
    begin(&t);
    pthread_join(t, 0);
    return 0;
}
