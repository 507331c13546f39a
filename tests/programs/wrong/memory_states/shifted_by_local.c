/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: uninitialised memory */
/* note: how far a value is shifted was set in one branch only */
#include <pthread.h>

static void *run(void *arg)
{
    int distance;
    unsigned given = *(unsigned *)arg;
    if (given > 5)
        distance = 1;
    return given << distance & 1 ? arg : NULL;
}

int main(void)
{
    unsigned given = 1;
    void *result;
    pthread_t t;
    pthread_create(&t, NULL, run, &given);
    pthread_join(t, &result);
    return 0;
}
