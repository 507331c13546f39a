/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int prepared, value;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *use(void *unused)
{
    if (!prepared) {
        pthread_mutex_lock(&lock);
        if (!prepared) {
            value = 1;
            prepared = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
