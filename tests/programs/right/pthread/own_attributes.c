/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: pthread_getattr_np tells where the thread's stack lies */
/* flags: -D_GNU_SOURCE */
#include <assert.h>
#include <pthread.h>

static void *look(void *arg)
{
    pthread_attr_t attr;
    void *from;
    size_t size;
    assert(pthread_getattr_np(pthread_self(), &attr) == 0);
    assert(pthread_attr_getstack(&attr, &from, &size) == 0);
    pthread_attr_destroy(&attr);
    assert((char *)from < (char *)&attr && (char *)&attr < (char *)from + size);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    look(NULL);
    pthread_join(t, NULL);
    return 0;
}
