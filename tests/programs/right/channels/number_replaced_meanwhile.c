/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: the number may be the other counter's when it is read, with nothing that orders the two */
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;

static void *replace(void *unused)
{
    close(event);
    eventfd(2, EFD_NONBLOCK);
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    event = eventfd(1, EFD_NONBLOCK);
    pthread_create(&t, NULL, replace, NULL);
    eventfd_read(event, &value);
    pthread_join(t, NULL);
    return 0;
}
