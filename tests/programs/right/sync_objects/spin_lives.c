/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a spin lock is initialised, used, destroyed, and once more */
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_spinlock_t *o = malloc(sizeof *o);
    pthread_spin_init(o, 0);
    pthread_spin_lock(o);
    pthread_spin_unlock(o);
    pthread_spin_destroy(o);
    pthread_spin_init(o, 0);
    pthread_spin_lock(o);
    pthread_spin_unlock(o);
    pthread_spin_destroy(o);
    free(o);
    return 0;
}
