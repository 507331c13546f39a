/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: a spin lock is not recursive */
#include <pthread.h>

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    pthread_spin_lock(&s);
    return 0;
}
