/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exit */
/* note: _exit skips the handlers, and still is an exit */
#include <pthread.h>
#include <unistd.h>

static void *work(void *arg)
{
    (void)arg;
    _exit(4);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
