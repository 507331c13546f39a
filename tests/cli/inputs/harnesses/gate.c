/* A counter that can be waited for. Without a specification: what it answers one operation after the other is it. */
#include <plumb.h>
#include <pthread.h>
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

PLUMB_OBJECT()
PLUMB_OP(inc)
{
    pthread_mutex_lock(&m);
    count++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return PLUMB_OK;
}
PLUMB_OP(add_twice, int, n)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        count += n;
#ifndef FORGETFUL
        pthread_cond_signal(&c);
#endif
        pthread_mutex_unlock(&m);
    }
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    pthread_mutex_lock(&m);
    int v = count;
    pthread_mutex_unlock(&m);
    return PLUMB_INT(v);
}
PLUMB_OP(dec)
{
    pthread_mutex_lock(&m);
    while (count == 0)
        pthread_cond_wait(&c, &m);
    count--;
    pthread_mutex_unlock(&m);
    return PLUMB_OK;
}
PLUMB_OP(dec_soon)
{
    struct timespec soon = {0};
    pthread_mutex_lock(&m);
    int late = 0;
    while (count == 0 && !late)
        late = pthread_cond_timedwait(&c, &m, &soon);
    count -= !late;
    pthread_mutex_unlock(&m);
    return PLUMB_BOOL(!late);
}
PLUMB_OP(crash_at, int, n)
{
    return PLUMB_INT(count == n ? *(volatile int *)0 : 0);
}
