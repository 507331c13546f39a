/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert|race */
/* mode: dfs */
/* What threads share besides atomic variables is not instrumented: each of them finds its part of the wrong sum in some
 * execution without the other. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen;

__attribute__((no_sanitize("thread"), noinline)) static void count(int what)
{
    seen += what;
}

__attribute__((no_sanitize("thread"), noinline)) static void check(void)
{
    assert(seen != 12);
}

static void *look(void *which)
{
    count(which ? 10 * atomic_load(&x) : atomic_load(&y));
    return NULL;
}

static void *set(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        atomic_store(&x, i);
        atomic_store(&y, i);
    }
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, look, NULL);
    pthread_create(&t[1], NULL, look, "x");
    pthread_create(&t[2], NULL, set, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    check();
}
