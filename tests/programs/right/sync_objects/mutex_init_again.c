/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: destroyed in between; a static initialiser by assignment; one on the stack of a function called twice */
#include <pthread.h>

static pthread_mutex_t m;

static void use(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static void use_own(void)
{
    pthread_mutex_t own;
    pthread_mutex_init(&own, NULL);
    use(&own);
}

int main(void)
{
    pthread_mutex_init(&m, NULL);
    use(&m);
    pthread_mutex_destroy(&m);
    pthread_mutex_init(&m, NULL);
    use(&m);
    pthread_mutex_destroy(&m);
    m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    use(&m);
    for (int k = 0; k < 2; k++)
        use_own();
    return 0;
}
