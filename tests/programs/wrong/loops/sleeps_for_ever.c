/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: waits for the end of a thread that only sleeps */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *sleep_on(void *unused)
{
    for (;;)
        sleep(1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sleep_on, NULL);
    pthread_join(t, NULL);
    return 0;
}
