/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in streams of C++: virtual functions of std::num_put, which look at the stream's format and use up its
 * width, and of std::num_get, which write the number. Characters go through the stream's buffer, whose functions are
 * the program's. */
#include "rt/cxx/watched_memory.h"

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

#define PUTS(name, character, type)                                                                \
    EXPORT struct output name(void *facet, struct output to, struct ios_base *ios, character fill, \
                              type value)                                                          \
    {                                                                                              \
        use_format(ios, CALLER);                                                                   \
        return NEXT(name)(facet, to, ios, fill, value);                                            \
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

/* ------------------------------------------------------------------ reading */

struct input { /* std::istreambuf_iterator */
    void *buffer;
    int character;
};

#define GETS(name, type)                                                                             \
    EXPORT struct input name(void *facet, struct input from, struct input end, struct ios_base *ios, \
                             int *state, type *value)                                                \
    {                                                                                                \
        type found = *value;                                                                         \
        watched_access(&ios->flags, sizeof ios->flags, false, CALLER);                               \
        struct input rest = NEXT(name)(facet, from, end, ios, state, &found);                        \
        WATCHED_SET(value, found, CALLER);                                                           \
        return rest;                                                                                 \
    }

#define GETS_NARROW(code, type)                                                                                          \
    GETS(                                                                                                                \
        _ZNKSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE6do_getES3_S3_RSt8ios_baseRSt12_Ios_IostateR##code, \
        type)
#define GETS_WIDE(code, type)                                                                                            \
    GETS(                                                                                                                \
        _ZNKSt7num_getIwSt19istreambuf_iteratorIwSt11char_traitsIwEEE6do_getES3_S3_RSt8ios_baseRSt12_Ios_IostateR##code, \
        type)
#define GETS_BOTH(code, type) \
    GETS_NARROW(code, type)   \
    GETS_WIDE(code, type)

GETS_BOTH(b, bool)
GETS_BOTH(l, long)
GETS_BOTH(t, unsigned short)
GETS_BOTH(j, unsigned)
GETS_BOTH(m, unsigned long)
GETS_BOTH(x, long long)
GETS_BOTH(y, unsigned long long)
GETS_BOTH(f, float)
GETS_BOTH(d, double)
GETS_BOTH(e, long double)
GETS_BOTH(Pv, void *)
