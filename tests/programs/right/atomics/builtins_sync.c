/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the old __sync builtins are seq_cst; lock_test_and_set acquires, lock_release releases */
#include <assert.h>
#include <pthread.h>

static int counter, lock, guarded;
static long maximum;

static void *work(void *arg)
{
    long mine = *(long *)arg;
    __sync_fetch_and_add(&counter, 3);
    __sync_sub_and_fetch(&counter, 1);
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    guarded++;
    __sync_lock_release(&lock);
    for (;;) {
        long seen = __sync_val_compare_and_swap(&maximum, 0, mine);
        if (seen == 0 || seen >= mine || __sync_bool_compare_and_swap(&maximum, seen, mine))
            break;
    }
    __sync_synchronize();
    return 0;
}

int main(void)
{
    pthread_t a, b;
    long one = 1, two = 2;
    pthread_create(&a, 0, work, &one);
    pthread_create(&b, 0, work, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4 && guarded == 2 && maximum == 2);
    return 0;
}
