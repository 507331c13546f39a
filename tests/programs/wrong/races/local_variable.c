/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* sc: holds */
/* tso: holds */
/* note: variables of one thread's stack that another one is given */
#include <assert.h>
#include <pthread.h>

struct message {
    int ready, value;
};

static void *receive(void *arg)
{
    volatile struct message *m = arg;
    if (m->ready)
        assert(m->value == 5);
    return NULL;
}

static void send(volatile struct message *m)
{
    m->value = 5;
    m->ready = 1;
}

int main(void)
{
    pthread_t t;
    struct message m = {0, 0};
    pthread_create(&t, NULL, receive, &m);
    send(&m);
    pthread_join(t, NULL);
    return 0;
}
