/* SPDX-License-Identifier: Apache-2.0 */
/* Found before libstdc++'s own header of this name. try_lock of its mutexes may fail spuriously, pthread_mutex_trylock, which it calls,
 * may not: here it says which of them it is. */
#pragma GCC system_header
#include_next <bits/gthr.h>
#if !defined PLUMB_LIBSTDCXX_GTHR && defined __cplusplus
#define PLUMB_LIBSTDCXX_GTHR

/* Of the runtime; null in programs that run without it. */
extern "C" void __plumb_note_try(const char *__function) __attribute__((weak));

static inline int __plumb_note_result(int __error, const char *__function)
{
    if (!__error && __plumb_note_try)
        __plumb_note_try(__function);
    return __error;
}

#define __gthread_mutex_trylock(mutex) __plumb_note_result(__gthread_mutex_trylock(mutex), "std::mutex::try_lock")
#define __gthread_recursive_mutex_trylock(mutex) \
    __plumb_note_result(__gthread_recursive_mutex_trylock(mutex), "std::recursive_mutex::try_lock")
#endif
