/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the segment may be gone before it is looked at */
#include <assert.h>
#include <pthread.h>
#include <sys/ipc.h>
#include <sys/shm.h>
static int segment;
static void *drop(void *u)
{
    shmctl(segment, IPC_RMID, 0);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct shmid_ds state;
    segment = shmget(IPC_PRIVATE, 4096, 0600);
    pthread_create(&t, 0, drop, 0);
    int found = shmctl(segment, IPC_STAT, &state);
    pthread_join(t, 0);
    assert(found == 0);
}
