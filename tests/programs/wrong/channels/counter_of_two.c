/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: without EFD_SEMAPHORE a read takes all that was posted */
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int event;

static void *post(void *unused)
{
    eventfd_write(event, 1);
    eventfd_write(event, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    event = eventfd(0, 0);
    pthread_create(&t, NULL, post, NULL);
    assert(eventfd_read(event, &value) == 0 && value >= 1);
    assert(value == 1);
    pthread_join(t, NULL);
    return 0;
}
