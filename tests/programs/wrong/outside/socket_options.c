/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the option is set, and the socket closed for writing, before or after */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
static int pair[2];
static void *change(void *u)
{
    int priority = 3;
    setsockopt(pair[0], SOL_SOCKET, SO_PRIORITY, &priority, sizeof priority);
    shutdown(pair[0], SHUT_WR);
    return 0;
}
int main(void)
{
    pthread_t t;
    int priority = 0;
    socklen_t size = sizeof priority;
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&t, 0, change, 0);
    getsockopt(pair[0], SOL_SOCKET, SO_PRIORITY, &priority, &size);
    long sent = send(pair[0], "x", 1, MSG_NOSIGNAL);
    pthread_join(t, 0);
    assert(!(priority == 3 && sent == 1));
}
