/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: nobody waits: nothing there yet, or all of it */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], event;

static void *produce(void *unused)
{
    assert(write(ends[1], "xy", 2) == 2);
    assert(eventfd_write(event, 2) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char text[2];
    eventfd_t value = 0;
    pipe2(ends, O_NONBLOCK);
    event = eventfd(0, EFD_NONBLOCK);
    pthread_create(&t, NULL, produce, NULL);
    int posted = eventfd_read(event, &value);
    assert(posted == 0 ? value == 2 : errno == EAGAIN);
    ssize_t got = read(ends[0], text, 2);
    assert(got == 2 || (got == -1 && errno == EAGAIN && posted < 0));
    pthread_join(t, NULL);
    return 0;
}
