/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse */
/* mode: dfs */
/* note: main does not wait for the thread */
#include <pthread.h>

static pthread_spinlock_t s;

static void *work(void *arg)
{
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&s, 0);
    pthread_create(&t, NULL, work, NULL);
    pthread_spin_destroy(&s);
    pthread_join(t, NULL);
    return 0;
}
