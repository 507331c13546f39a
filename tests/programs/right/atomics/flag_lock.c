/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *add(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
            ;
        counter++;
        atomic_flag_clear_explicit(&lock, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
