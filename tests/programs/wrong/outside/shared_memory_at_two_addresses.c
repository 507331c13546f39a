/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: two threads write to the same memory, each at an address of its own */
#include <pthread.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static int *here, *there;

static void *writer(void *arg)
{
    *there = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    here = shmat(segment, NULL, 0);
    shmctl(segment, IPC_RMID, NULL); /* an execution that is cut leaves nothing behind */
    there = shmat(segment, NULL, 0);
    pthread_create(&t, NULL, writer, NULL);
    *here = 2;
    pthread_join(t, NULL);
    return 0;
}
