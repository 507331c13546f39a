/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that waits for a flag, and an answer. */
#include "sites.h"

static atomic_int asked, answered;
static int question, answer;

static void *ask(void *p)
{
    question = 6;
    atomic_store_explicit(&asked, 1, A);
    while (!atomic_load_explicit(&answered, B))
        continue;
    assert(answer == 7);
    return p;
}

static void *reply(void *p)
{
    while (!atomic_load_explicit(&asked, C))
        continue;
    answer = question + 1;
    atomic_store_explicit(&answered, 1, D);
    return p;
}

int main(void)
{
    run(ask, reply, NULL);
    return 0;
}
