/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two threads take turns, one signal per turn */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int turn, log_length, log_of[4];

static void *player(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&turned[me], &lock);
        log_of[log_length++] = me;
        turn = !me;
        pthread_cond_signal(&turned[!me]);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, player, (void *)1);
    player((void *)0);
    pthread_join(t, NULL);
    assert(log_length == 4);
    assert(log_of[0] == 0 && log_of[1] == 1 && log_of[2] == 0 && log_of[3] == 1);
    return 0;
}
