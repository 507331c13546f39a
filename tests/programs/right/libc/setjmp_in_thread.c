/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int jumps;

static int dive(jmp_buf out, int depth)
{
    atomic_fetch_add(&jumps, depth == 0);
    if (depth == 0)
        longjmp(out, 7);
    return depth > 100 ? depth : dive(out, depth - 1);
}

static void *work(void *arg)
{
    jmp_buf out;
    (void)arg;
    int code = setjmp(out);
    if (code == 0)
        dive(out, 5);
    assert(code == 7);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(jumps == 2);
    return 0;
}
