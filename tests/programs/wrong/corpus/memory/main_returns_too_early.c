/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-return */
/* mode: all */
/* note: a detached thread writes a local of main, which returns */
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
    pthread_detach(t);
    return 0;
}
