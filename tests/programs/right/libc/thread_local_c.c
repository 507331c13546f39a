/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: every thread of every execution begins with the initial value */
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 10;
static _Thread_local char zeroed[100];

static void *work(void *arg)
{
    (void)arg;
    assert(counter == 10 && zeroed[50] == 0);
    counter++;
    zeroed[50] = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 11);
    pthread_create(&a, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
