/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static void *work(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    int result = 0;
    pthread_create(&t, NULL, work, &result);
    pthread_join(t, NULL);
    return 0;
}
