#include <plumb.h>
#include <pthread.h>
static int count; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
PLUMB_OBJECT()
PLUMB_OP(inc) { pthread_mutex_lock(&m); count++; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return PLUMB_OK; }
PLUMB_OP(badinc) { pthread_mutex_lock(&m); int v = count; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); count = v+1; pthread_mutex_unlock(&m); return PLUMB_OK; }
PLUMB_OP(get) { pthread_mutex_lock(&m); int v = count; pthread_mutex_unlock(&m); return PLUMB_INT(v); }
PLUMB_OP(dec) { pthread_mutex_lock(&m); while (count == 0) pthread_cond_wait(&c, &m); count--; pthread_mutex_unlock(&m); return PLUMB_OK; }
