/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: frames come and go while another thread works on the variables of their callers */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;

static __attribute__((noinline)) int deep(int n)
{
    int own[4] = {n, n, n, n};
    atomic_load(&turn);
    return n ? deep(n - 1) + own[n % 4] : own[0];
}

static void *work(void *arg)
{
    *(int *)arg = deep(3);
    return NULL;
}

int main(void)
{
    int result = 0;
    pthread_t t;
    pthread_create(&t, NULL, work, &result);
    int mine = deep(2);
    atomic_store(&turn, 1);
    mine += deep(3);
    pthread_join(t, NULL);
    return result + mine == 0;
}
