/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a segment is attached again when it has been detached */
#include <assert.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/shm.h>

int main(void)
{
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    for (int k = 0; k < 3; k++) {
        int *at = shmat(segment, NULL, 0);
        assert(*at == k);
        *at = k + 1;
        shmdt(at);
    }
    shmctl(segment, IPC_RMID, NULL);
    return 0;
}
