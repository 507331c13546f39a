/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the segment goes with its last user, before it is looked at or after */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>
static void *at;
static void *detach(void *u)
{
    shmdt(at);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct shmid_ds state;
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    at = shmat(segment, 0, 0);
    shmctl(segment, IPC_RMID, 0); /* an execution that is cut leaves nothing behind */
    pthread_create(&t, 0, detach, 0);
    int found = shmctl(segment, IPC_STAT, &state);
    pthread_join(t, 0);
    assert(found == 0);
}
