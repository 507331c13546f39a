/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse */
/* mode: all */
/* note: a spin lock is destroyed by the thread that holds it */
#include <pthread.h>

static pthread_spinlock_t lock;
int value;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    value = 1;
    pthread_spin_destroy(&lock);
    return 0;
}
