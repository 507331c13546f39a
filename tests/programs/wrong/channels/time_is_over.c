/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the time may be over before the other thread writes */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *produce(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, produce, NULL);
    struct pollfd file = {.fd = ends[0], .events = POLLIN};
    int count = poll(&file, 1, 1000);
    pthread_join(t, NULL);
    assert(count == 1);
    return 0;
}
