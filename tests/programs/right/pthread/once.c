/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the initialiser runs once, and everybody sees what it wrote */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int value;

static void initialise(void)
{
    value += 7;
}

static void *work(void *arg)
{
    (void)arg;
    pthread_once(&once, initialise);
    assert(value == 7);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_once(&once, initialise);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(value == 7);
    return 0;
}
