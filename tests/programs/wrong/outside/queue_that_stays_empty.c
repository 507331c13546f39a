/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: both wait for a message of the other type */
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>

struct message {
    long type;
    char text[8];
};
static int q;

static void *answer(void *unused)
{
    struct message m;
    msgrcv(q, &m, sizeof m.text, 1, 0);
    m.type = 2;
    msgsnd(q, &m, sizeof m.text, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    struct message m = {3, "?"};
    q = msgget(IPC_PRIVATE, 0600);
    pthread_create(&t, NULL, answer, NULL);
    msgsnd(q, &m, sizeof m.text, 0);
    msgrcv(q, &m, sizeof m.text, 2, 0);
    pthread_join(t, NULL);
    return 0;
}
