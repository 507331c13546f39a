/* Right, but not conflict serializable: a CAS that is tried again, and a look without the lock. And something racy. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static int unprotected;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

PLUMB_OBJECT()
PLUMB_OP(add, int, n)
{
    int v = atomic_load(&count);
    while (!atomic_compare_exchange_strong(&count, &v, v + n))
        v = atomic_load(&count);
    return PLUMB_INT(v);
}
PLUMB_OP(set, int, n)
{
    pthread_mutex_lock(&m);
    atomic_store(&count, n);
    pthread_mutex_unlock(&m);
    return PLUMB_OK;
}
PLUMB_OP(get)
{
    if (atomic_load(&count) < 0)
        return PLUMB_INT(-1);
    pthread_mutex_lock(&m);
    int v = atomic_load(&count);
    pthread_mutex_unlock(&m);
    return PLUMB_INT(v);
}
PLUMB_OP(race)
{
    return PLUMB_INT(unprotected++);
}
