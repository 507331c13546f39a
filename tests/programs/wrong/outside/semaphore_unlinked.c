/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the name may be gone before it is opened again */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
static void *remove_name(void *u)
{
    sem_unlink("/plumb-semaphore");
    return 0;
}
int main(void)
{
    pthread_t t;
    sem_open("/plumb-semaphore", O_CREAT, 0600, 0);
    pthread_create(&t, 0, remove_name, 0);
    sem_t *again = sem_open("/plumb-semaphore", 0);
    pthread_join(t, 0);
    assert(again != SEM_FAILED);
}
