/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* machine: x86-64 */
/* note: a spin lock has no static initialiser: 0 is locked */
#include <pthread.h>

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    return 0;
}
