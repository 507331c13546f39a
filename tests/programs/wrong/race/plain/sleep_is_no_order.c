/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a sleep makes it rare on a real machine, not right */
#include <pthread.h>
#include <unistd.h>

int result, copy;

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
    usleep(1000);
    copy = result;
    pthread_join(t, NULL);
    return 0;
}
