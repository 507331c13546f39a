/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* bounded: yes */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: a server that never ends; main returns when its request was answered */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WRONG
#define ANSWER memory_order_relaxed
#else
#define ANSWER memory_order_release
#endif

enum { IDLE, REQUEST, REPLY };

static atomic_int mailbox;
static int argument, result;

static void *serve(void *arg)
{
    for (;;) {
        while (atomic_load_explicit(&mailbox, memory_order_acquire) != REQUEST)
            sched_yield();
        result = argument * argument;
        atomic_store_explicit(&mailbox, REPLY, ANSWER);
    }
    return arg;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    pthread_detach(server);
    argument = 7;
    atomic_store_explicit(&mailbox, REQUEST, memory_order_release);
    while (atomic_load_explicit(&mailbox, memory_order_acquire) != REPLY)
        sched_yield();
    assert(result == 49);
    return 0;
}
