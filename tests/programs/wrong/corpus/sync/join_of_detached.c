/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: all */
/* note: a thread is joined that has been detached */
#include <pthread.h>

static void *worker(void *unused)
{
    (void)unused;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    pthread_join(t, NULL);
    return 0;
}
