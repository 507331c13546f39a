/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/sem.h>
static int a, b;
static void step(int s, int v)
{
    semop(s, &(struct sembuf){0, v, 0}, 1);
}
static void *other(void *u)
{
    step(b, -1);
    step(a, -1);
    step(a, 1);
    step(b, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    a = semget(IPC_PRIVATE, 1, 0600);
    b = semget(IPC_PRIVATE, 1, 0600);
    semctl(a, 0, SETVAL, 1);
    semctl(b, 0, SETVAL, 1);
    pthread_create(&t, 0, other, 0);
    step(a, -1);
    step(b, -1);
    step(b, 1);
    step(a, 1);
    pthread_join(t, 0);
}
