/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: sleeps longer and longer, a second at most */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int stage;
static int payload;

static void wait_for(int wanted)
{
    struct timespec pause = {0, 1000};
    while (atomic_load_explicit(&stage, memory_order_acquire) < wanted) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 500000000)
            pause.tv_nsec *= 2;
    }
}

static void *second(void *arg)
{
    wait_for(1);
    payload++;
    atomic_store_explicit(&stage, 2, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    payload = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    wait_for(2);
    assert(payload == 2);
    pthread_join(thread, NULL);
    return 0;
}
