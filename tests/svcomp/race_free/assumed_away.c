/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
_Bool locked;

void *add(void *unused)
{
    if (locked)
        pthread_mutex_lock(&lock);
    count++;
    if (locked)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    locked = __VERIFIER_nondet_bool();
    assume_abort_if_not(locked);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return 0;
}
