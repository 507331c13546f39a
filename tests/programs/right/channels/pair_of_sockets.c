/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: question and answer, and the data with them */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2], question, answer;

static void *serve(void *unused)
{
    char c;
    while (recv(pair[1], &c, 1, 0) == 1) {
        answer = question + 1;
        assert(send(pair[1], &c, 1, MSG_NOSIGNAL) == 1);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    char c = '?';
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_create(&t, NULL, serve, NULL);
    for (int k = 0; k < 2; k++) {
        question = k;
        assert(send(pair[0], &c, 1, 0) == 1 && read(pair[0], &c, 1) == 1);
        assert(answer == k + 1);
    }
    shutdown(pair[0], SHUT_WR);
    pthread_join(t, NULL);
    return 0;
}
