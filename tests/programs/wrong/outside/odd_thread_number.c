/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* known: holds */
/* named: other answers of gettid not tried */
#define _GNU_SOURCE
#include <assert.h>
#include <unistd.h>
#include <pthread.h>
static void *f(void *u)
{
    assert(gettid() % 2 == 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
}
