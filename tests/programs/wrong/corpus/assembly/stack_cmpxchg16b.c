/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert|not-linearizable */
/* mode: all */
/* machine: x86-64 */
/* note: pop compares the pointer only, not the generation beside it: ABA */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct pair {
    uint64_t first, generation;
} __attribute__((aligned(16)));
static struct pair top = {1, 0};

static int cas(struct pair *expected, struct pair fresh)
{
    unsigned char won;
    __asm__ volatile("lock cmpxchgq %3, %1; sete %0"
                     : "=q"(won), "+m"(top.first), "+a"(expected->first)
                     : "r"(fresh.first)
                     : "memory", "cc");
    return won;
}

static void *slow(void *unused)
{
    (void)unused;
    struct pair seen = {1, 0};
    if (cas(&seen, (struct pair){2, 1}))
        assert(seen.generation == 0 && seen.first == 1);
    return NULL;
}

static void *fast(void *unused)
{
    (void)unused;
    struct pair seen = {1, 0};
    if (!cas(&seen, (struct pair){3, 1}))
        return NULL;
    seen = (struct pair){3, 1};
    int won = cas(&seen, (struct pair){1, 2});
    /* 1 is back, but in another generation: the slow one must not take it */
    seen = (struct pair){1, 2};
    if (won)
        assert(cas(&seen, (struct pair){4, 3}));
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, slow, NULL);
    pthread_create(&t[1], NULL, fast, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
