/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/sem.h>
static int data, set;
static void *producer(void *u)
{
    data = 1;
    semop(set, &(struct sembuf){0, 1, 0}, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    set = semget(IPC_PRIVATE, 1, 0600);
    pthread_create(&t, 0, producer, 0);
    semop(set, &(struct sembuf){0, -1, 0}, 1);
    assert(data == 1);
    pthread_join(t, 0);
    semctl(set, 0, IPC_RMID);
}
