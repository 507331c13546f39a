/* SPDX-License-Identifier: Apache-2.0 */
/* The standard streams of C++. After std::ios::sync_with_stdio(false) they stay synchronized, since buffers of their own would outlive the
 * execution that made them; but from then on the program may no longer use them in several threads at once. */
#include "engine/memory/objects.h"
#include "rt/start.h"
#include "rt/cxx/watched_memory.h"

static bool initial = true; /* what constructors of global objects left */

BEFORE_EACH_EXECUTION(streams_reset)
{
    cxx_objects_reset(initial);
}

EXPORT bool _ZNSt8ios_base15sync_with_stdioEb(bool synchronized)
{
    if (!start_is_worker)
        return NEXT(_ZNSt8ios_base15sync_with_stdioEb)(synchronized);
    bool before = cxx_objects_synchronized;
    cxx_objects_synchronized = synchronized;
    if (!engine_active)
        initial = synchronized;
    return before;
}

/* ------------------------------------------------------------------ the buffers of the standard streams */

/* Virtual functions of the synchronized ones, which hand over to stdio: the text is the program's. */
#define PUTS_TEXT(name, character)                                             \
    EXPORT long name(void *buffer, const character *text, long count)          \
    {                                                                          \
        if (count > 0)                                                         \
            watched_access(text, (size_t)count * sizeof *text, false, CALLER); \
        return NEXT(name)(buffer, text, count);                                \
    }

#define GETS_TEXT(name, character)                                            \
    EXPORT long name(void *buffer, character *text, long count)               \
    {                                                                         \
        if (count > 0)                                                        \
            watched_access(text, (size_t)count * sizeof *text, true, CALLER); \
        return NEXT(name)(buffer, text, count);                               \
    }

PUTS_TEXT(_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE6xsputnEPKcl, char)
PUTS_TEXT(_ZN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEE6xsputnEPKwl, wchar_t)
GETS_TEXT(_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE6xsgetnEPcl, char)
GETS_TEXT(_ZN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEE6xsgetnEPwl, wchar_t)
