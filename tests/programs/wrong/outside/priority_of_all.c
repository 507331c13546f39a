/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: both set what all threads have */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>

static void *lower(void *unused)
{
    setpriority(PRIO_PGRP, 0, 5);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, lower, NULL);
    setpriority(PRIO_PGRP, 0, 6);
    pthread_join(t, NULL);
    assert(getpriority(PRIO_PROCESS, 0) == 6);
    return 0;
}
