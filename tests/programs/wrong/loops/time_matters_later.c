/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* flags-plumb: --loops 2 */
/* note: that a thread makes use of the time is found out in a later execution: rounds in which another one sleeps led nowhere until then */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int asked, ready;
static time_t began;

static void *sleep_until_ready(void *unused)
{
    while (!ready)
        sleep(1);
    return unused;
}

static void *make_ready(void *unused)
{
    if (asked)
        began = time(NULL);
    ready = 1;
    return unused;
}

static void *ask(void *unused)
{
    asked = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, sleep_until_ready, NULL);
    pthread_create(&threads[1], NULL, make_ready, NULL);
    pthread_create(&threads[2], NULL, ask, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (began)
        assert(time(NULL) - began < 3);
    return 0;
}
