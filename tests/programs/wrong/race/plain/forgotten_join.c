/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: main reads the result without waiting for the thread that writes it */
#include <pthread.h>

int result;

static void *work(void *arg)
{
    (void)arg;
    result = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    return result > 1;
}
