/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* all: holds */
/* note: a thread sleeps before another one looks at the clock, or after it; only schedules try both, and --mode all says so */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static time_t began;

static void *rest(void *unused)
{
    sleep(5);
    return unused;
}

static void *look(void *unused)
{
    began = time(NULL);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, rest, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(time(NULL) - began < 3);
    return 0;
}
