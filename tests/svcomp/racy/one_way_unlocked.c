/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *change(void *unused)
{
    if (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    } else
        count--;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, change, 0);
    pthread_create(&b, 0, change, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
