/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *attempt(void *arg)
{
    int *got = arg;
    int error = pthread_mutex_trylock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
        counter++;
        *got = 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int first = 0, second = 0;
    pthread_create(&a, NULL, attempt, &first);
    pthread_create(&b, NULL, attempt, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == first + second && counter >= 1);
    return 0;
}
