/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: one mask for all threads */
#include <assert.h>
#include <pthread.h>
#include <syslog.h>

static void *set(void *priority)
{
    setlogmask(LOG_MASK((int)(long)priority));
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, set, (void *)LOG_ERR);
    pthread_create(&two, NULL, set, (void *)LOG_INFO);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(setlogmask(0) == LOG_MASK(LOG_INFO));
    return 0;
}
