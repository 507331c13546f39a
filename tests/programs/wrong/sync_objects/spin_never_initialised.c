/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a spin lock from malloc that was never initialised */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_spinlock_t *o = malloc(sizeof *o);
    pthread_spin_lock(o);
    pthread_spin_unlock(o);
    free(o);
    return 0;
}
