/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: nothing is wrong with this; the runtime cannot do it */
#include <pthread.h>
#include <unistd.h>

static void *wait(void *unused)
{
    for (;;)
        sleep(1);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, wait, NULL);
    pthread_cancel(a);
    pthread_join(a, NULL);
}
