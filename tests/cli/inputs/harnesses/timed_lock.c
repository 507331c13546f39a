/* A lock that is asked for until it is there, each time with a limit; GIVES_UP: once. */
#include <plumb.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int ask(void)
{
    struct timespec end = {.tv_sec = 1};
    return pthread_mutex_timedlock(&m, &end);
}

PLUMB_OBJECT()
PLUMB_TEST("add | add")
PLUMB_OP(add)
{
#ifdef GIVES_UP
    if (ask() != 0)
        return PLUMB_OK;
#else
    while (ask() != 0)
        ;
#endif
    n++;
    pthread_mutex_unlock(&m);
    return PLUMB_OK;
}
