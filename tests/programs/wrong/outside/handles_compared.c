/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* known: holds */
/* named: other answers of pthread_self not tried */
#include <assert.h>
#include <pthread.h>
static pthread_t m;
static void *f(void *u)
{
    assert(pthread_self() > m);
    return 0;
}
int main(void)
{
    pthread_t t;
    m = pthread_self();
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
}
