/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers written to streams of C++: virtual functions of std::num_put, which look at the stream's format and use up
 * its width. What they write goes through the stream's buffer, whose functions are the program's. */
#include "rt/watched_memory.h"

struct ios_base {
    void *vtable;
    long precision, width;
    unsigned flags;
};

struct output { /* std::ostreambuf_iterator */
    void *buffer;
    bool failed;
};

static void use_format(struct ios_base *ios, const void *pc)
{
    watched_access(&ios->precision, sizeof ios->precision, false, pc);
    watched_access(&ios->flags, sizeof ios->flags, false, pc);
    watched_access(&ios->width, sizeof ios->width, true, pc);
}

#define PUTS(name, character, type)                                                                      \
    struct output name(void *facet, struct output to, struct ios_base *ios, character fill, type value); \
    EXPORT struct output name(void *facet, struct output to, struct ios_base *ios, character fill,       \
                              type value)                                                                \
    {                                                                                                    \
        use_format(ios, CALLER);                                                                         \
        return NEXT(name)(facet, to, ios, fill, value);                                                  \
    }

#define NARROW(code, type)                                                                                  \
    PUTS(_ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE6do_putES3_RSt8ios_basec##code, char, \
         type)
#define WIDE(code, type)                                                                              \
    PUTS(_ZNKSt7num_putIwSt19ostreambuf_iteratorIwSt11char_traitsIwEEE6do_putES3_RSt8ios_basew##code, \
         wchar_t, type)
#define BOTH(code, type) \
    NARROW(code, type)   \
    WIDE(code, type)

BOTH(b, bool)
BOTH(l, long)
BOTH(m, unsigned long)
BOTH(x, long long)
BOTH(y, unsigned long long)
BOTH(d, double)
BOTH(e, long double)
BOTH(PKv, const void *)
