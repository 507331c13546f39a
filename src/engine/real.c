/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/real.h"

#include "base/check.h"

#include <dlfcn.h>

struct real_functions real;

static void *find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    CHECK(function);
    return function;
}

void real_resolve(void)
{
    if (real.memcpy)
        return;
#define RESOLVE(name) real.name = (__typeof__(real.name))find(#name)
    RESOLVE(pthread_create);
    RESOLVE(sem_init);
    RESOLVE(sem_wait);
    RESOLVE(sem_post);
    RESOLVE(memmove);
    RESOLVE(memset);
    RESOLVE(clock_gettime);
    RESOLVE(pause);
    RESOLVE(exit);
    RESOLVE(memcpy); /* last: shows that all are there */
#undef RESOLVE
}
