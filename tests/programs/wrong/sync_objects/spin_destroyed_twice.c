/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a spin lock is destroyed twice */
#include <pthread.h>

static pthread_spinlock_t o;

int main(void)
{
    pthread_spin_init(&o, 0);
    pthread_spin_lock(&o);
    pthread_spin_unlock(&o);
    pthread_spin_destroy(&o);
    pthread_spin_destroy(&o);
    return 0;
}
