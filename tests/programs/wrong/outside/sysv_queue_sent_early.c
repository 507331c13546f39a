/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/msg.h>
struct m {
    long type;
    char c[8];
};
static int data, q;
static void *producer(void *u)
{
    struct m m = {1, "a"};
    msgsnd(q, &m, 8, 0);
    data = 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    struct m m;
    q = msgget(IPC_PRIVATE, 0600);
    pthread_create(&t, 0, producer, 0);
    msgrcv(q, &m, 8, 0, 0);
    assert(data == 1 && m.c[0] == 'a');
    pthread_join(t, 0);
    msgctl(q, IPC_RMID, 0);
}
