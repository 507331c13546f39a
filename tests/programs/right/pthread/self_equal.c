/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread, inner;

static void *work(void *arg)
{
    (void)arg;
    inner = pthread_self();
    assert(!pthread_equal(pthread_self(), main_thread));
    return NULL;
}

int main(void)
{
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_equal(main_thread, pthread_self()));
    pthread_join(t, NULL);
    assert(pthread_equal(t, inner));
    return 0;
}
