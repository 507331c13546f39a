/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a thread works on its creator's stack while the creator waits */
#include <assert.h>
#include <pthread.h>

struct job {
    int input, output;
    char scratch[4096];
};

static void *work(void *arg)
{
    struct job *j = arg;
    j->scratch[4095] = 1;
    j->output = j->input * 2;
    return NULL;
}

static int run(int input)
{
    struct job j = {.input = input};
    pthread_t t;
    pthread_create(&t, NULL, work, &j);
    pthread_join(t, NULL);
    return j.output + j.scratch[4095];
}

int main(void)
{
    assert(run(4) == 9);
    assert(run(5) == 11);
    return 0;
}
