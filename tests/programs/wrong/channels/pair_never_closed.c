/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: no end comes while a copy of the descriptor is open */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2];

static void *serve(void *unused)
{
    char c;
    while (read(pair[1], &c, 1) == 1)
        ;
    return unused;
}

int main(void)
{
    pthread_t t;
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    dup(pair[0]);
    pthread_create(&t, NULL, serve, NULL);
    write(pair[0], "x", 1);
    close(pair[0]);
    pthread_join(t, NULL);
    return 0;
}
