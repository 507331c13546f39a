/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the signal may be ignored by then */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static int hit;
static void on(int n)
{
    hit = 1;
}
static void *set(void *u)
{
    signal(SIGUSR1, SIG_IGN);
    return 0;
}
int main(void)
{
    pthread_t t;
    signal(SIGUSR1, on);
    pthread_create(&t, 0, set, 0);
    raise(SIGUSR1);
    pthread_join(t, 0);
    assert(hit);
}
