/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: who is the last to set the priority of all threads? */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>

static void *set(void *value)
{
    setpriority(PRIO_PGRP, 0, (int)(long)value);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, set, (void *)5);
    pthread_create(&two, NULL, set, (void *)6);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(getpriority(PRIO_PROCESS, 0) == 6);
    return 0;
}
