/* SPDX-License-Identifier: Apache-2.0 */
/* What the code of annotations has at hand: plumb-cc includes it in files that have some. Users have `plumb_sequence` from
 * it; the rest is for the code that `plumb annotate` writes. It needs no other header than the compiler's own. */
#ifndef PLUMB_ANNOTATED_H
#define PLUMB_ANNOTATED_H

#include "annotations.h"

typedef __UINT64_TYPE__ plumb_u64;
typedef __UINTPTR_TYPE__ plumb_address;

#ifdef __cplusplus
#define PLUMB_INLINE inline
#else
#define PLUMB_INLINE static __inline__ __attribute__((__unused__))
#endif

/* The tool finds this in programs whose annotated functions are all left out by the compiler, because nothing calls them. */
__attribute__((__used__)) static void *(*const plumb_annotated_unit)(const struct plumb_interface *,
                                                                     const void *) = plumb_call_begin;

/* --- a sequence for sequential states ------------------------------------------------------------ */

/* A queue, a stack or a list of numbers; pointers are numbers, too. Zero is the empty one. It lies within the state,
 * and what was removed is zero again, so that equal sequences have equal bytes. */
enum { PLUMB_SEQUENCE_SIZE = 128 };
typedef struct plumb_sequence {
    unsigned length;
    long values[PLUMB_SEQUENCE_SIZE];
} plumb_sequence;

PLUMB_INLINE void plumb_insert(plumb_sequence *s, unsigned at, long value)
{
    if (s->length >= PLUMB_SEQUENCE_SIZE || at > s->length)
        __builtin_trap();
    for (unsigned i = s->length++; i > at; i--)
        s->values[i] = s->values[i - 1];
    s->values[at] = value;
}
PLUMB_INLINE long plumb_erase(plumb_sequence *s, unsigned at)
{
    if (at >= s->length)
        return 0;
    long value = s->values[at];
    for (s->length--; at < s->length; at++)
        s->values[at] = s->values[at + 1];
    s->values[s->length] = 0;
    return value;
}
PLUMB_INLINE void plumb_push_back(plumb_sequence *s, long value)
{
    plumb_insert(s, s->length, value);
}
PLUMB_INLINE void plumb_push_front(plumb_sequence *s, long value)
{
    plumb_insert(s, 0, value);
}
/* What is removed, and 0 from an empty one. */
PLUMB_INLINE long plumb_pop_back(plumb_sequence *s)
{
    return s->length ? plumb_erase(s, s->length - 1) : 0;
}
PLUMB_INLINE long plumb_pop_front(plumb_sequence *s)
{
    return plumb_erase(s, 0);
}
PLUMB_INLINE long plumb_at(const plumb_sequence *s, unsigned at)
{
    return at < s->length ? s->values[at] : 0;
}
PLUMB_INLINE long plumb_front(const plumb_sequence *s)
{
    return plumb_at(s, 0);
}
PLUMB_INLINE long plumb_back(const plumb_sequence *s)
{
    return s->length ? s->values[s->length - 1] : 0;
}
PLUMB_INLINE unsigned plumb_size(const plumb_sequence *s)
{
    return s->length;
}
PLUMB_INLINE int plumb_empty(const plumb_sequence *s)
{
    return s->length == 0;
}
/* Where it is first, or -1. */
PLUMB_INLINE int plumb_index(const plumb_sequence *s, long value)
{
    for (unsigned i = 0; i < s->length; i++)
        if (s->values[i] == value)
            return (int)i;
    return -1;
}
PLUMB_INLINE int plumb_contains(const plumb_sequence *s, long value)
{
    return plumb_index(s, value) >= 0;
}

/* --- values as text ------------------------------------------------------------------------------ */

#define PLUMB_SHOW(name, type, format, as)                                        \
    PLUMB_INLINE void plumb_show_##name(struct plumb_text *to, const void *value) \
    {                                                                             \
        plumb_text_add(to, format, (as) * (const type *)value);                   \
    }
PLUMB_SHOW(signed_char, signed char, "%d", int)
PLUMB_SHOW(unsigned_char, unsigned char, "%d", int)
PLUMB_SHOW(short, short, "%d", int)
PLUMB_SHOW(unsigned_short, unsigned short, "%d", int)
PLUMB_SHOW(int, int, "%d", int)
PLUMB_SHOW(unsigned, unsigned, "%u", unsigned)
PLUMB_SHOW(long, long, "%ld", long)
PLUMB_SHOW(unsigned_long, unsigned long, "%lu", unsigned long)
PLUMB_SHOW(float, float, "%g", double)
PLUMB_SHOW(double, double, "%g", double)
#undef PLUMB_SHOW

PLUMB_INLINE void plumb_show_bool(struct plumb_text *to, const void *value)
{
    plumb_text_add(to, "%s", *(const unsigned char *)value ? "true" : "false");
}
PLUMB_INLINE void plumb_show_char(struct plumb_text *to, const void *value)
{
    char c = *(const char *)value;
    if (c >= ' ' && c < 127)
        plumb_text_add(to, "'%c'", c);
    else
        plumb_text_add(to, "%d", c);
}
PLUMB_INLINE void plumb_show_pointer(struct plumb_text *to, const void *value)
{
    const void *pointer = *(const void *const *)value;
    if (pointer)
        plumb_text_add(to, "%p", pointer);
    else
        plumb_text_add(to, "null");
}
PLUMB_INLINE void plumb_show_other(struct plumb_text *to, const void *value)
{
    (void)value;
    plumb_text_add(to, "...");
}
PLUMB_INLINE void plumb_show_array(struct plumb_text *to, const void *values, size_t count, size_t size,
                                   void (*show)(struct plumb_text *, const void *))
{
    if (show == plumb_show_char && count && ((const char *)values)[count - 1] == 0) {
        plumb_text_add(to, "\"%s\"", (const char *)values);
        return;
    }
    plumb_text_add(to, "[");
    for (size_t i = 0; i < count; i++) {
        plumb_text_add(to, "%s", i ? ", " : "");
        show(to, (const char *)values + i * size);
    }
    plumb_text_add(to, "]");
}
PLUMB_INLINE void plumb_show_sequence(struct plumb_text *to, const void *value)
{
    const plumb_sequence *s = (const plumb_sequence *)value;
    plumb_show_array(to, s->values, s->length, sizeof(long), plumb_show_long);
}

/* --- C++ ----------------------------------------------------------------------------------------- */

#ifdef __cplusplus
namespace plumb_annotated
{
struct here {
};
} // namespace plumb_annotated

inline void *operator new(size_t, plumb_annotated::here, void *at) noexcept
{
    return at;
}
inline void operator delete(void *, plumb_annotated::here, void *) noexcept
{
}

namespace plumb_annotated
{

/* Types without references and qualifiers. */
template <class T> struct plain {
    typedef T type;
};
template <class T> struct plain<const T> {
    typedef T type;
};
template <class T> struct plain<volatile T> {
    typedef T type;
};
template <class T> struct plain<const volatile T> {
    typedef T type;
};
template <class T> struct plain<T &> : plain<T> {
};
template <class T> struct plain<T &&> : plain<T> {
};

/* A parameter that is a variable of the caller's: looked at where it is. */
template <class T> struct is_variable {
    enum { value = 0 };
};
template <class T> struct is_variable<T &> {
    enum { value = 1 };
};
template <class T> struct is_variable<const T &> {
    enum { value = 0 };
};

/* --- values as text --- */

template <int N> struct rank : rank<N - 1> {
};
template <> struct rank<0> {
};

template <class T> struct number;
#define PLUMB_NUMBER(type, name)                                   \
    template <> struct number<type> {                              \
        static void show(struct plumb_text *to, const type &value) \
        {                                                          \
            plumb_show_##name(to, &value);                         \
        }                                                          \
    };
PLUMB_NUMBER(bool, bool)
PLUMB_NUMBER(char, char)
PLUMB_NUMBER(signed char, signed_char)
PLUMB_NUMBER(unsigned char, unsigned_char)
PLUMB_NUMBER(short, short)
PLUMB_NUMBER(unsigned short, unsigned_short)
PLUMB_NUMBER(int, int)
PLUMB_NUMBER(unsigned, unsigned)
PLUMB_NUMBER(long, long)
PLUMB_NUMBER(unsigned long, unsigned_long)
PLUMB_NUMBER(long long, long)
PLUMB_NUMBER(unsigned long long, unsigned_long)
PLUMB_NUMBER(float, float)
PLUMB_NUMBER(double, double)
PLUMB_NUMBER(plumb_sequence, sequence)
#undef PLUMB_NUMBER

template <class T> void show(struct plumb_text *to, const T &value);

template <bool> struct only {
};
template <> struct only<true> {
    typedef void type;
};

template <class I> void show_range(struct plumb_text *to, I at, I end)
{
    plumb_text_add(to, "[");
    for (bool first = true; at != end; ++at, first = false) {
        plumb_text_add(to, "%s", first ? "" : ", ");
        show(to, *at);
    }
    plumb_text_add(to, "]");
}

/* The container of std::queue and the like is protected. */
template <class A> struct opened : A {
    static const typename A::container_type &of(const A &adaptor)
    {
        return adaptor.*&opened::c;
    }
};

template <class T>
auto show_as(struct plumb_text *to, const T &value, rank<6>) -> decltype(number<T>::show(to, value))
{
    number<T>::show(to, value);
}
template <class T> struct is_enum {
    enum { value = __is_enum(T) };
};
template <class T>
typename only<is_enum<T>::value>::type show_as(struct plumb_text *to, const T &value, rank<6>)
{
    plumb_text_add(to, "%ld", (long)value);
}
template <class T> void show_as(struct plumb_text *to, T *const &value, rank<6>)
{
    plumb_show_pointer(to, &value);
}
template <class T, size_t N> void show_as(struct plumb_text *to, const T (&value)[N], rank<6>)
{
    show_range(to, &value[0], &value[0] + N);
}
template <size_t N> void show_as(struct plumb_text *to, const char (&value)[N], rank<6>)
{
    plumb_show_array(to, value, N, 1, plumb_show_char);
}
template <class T>
auto show_as(struct plumb_text *to, const T &value, rank<5>) -> decltype((void)value.c_str())
{
    plumb_text_add(to, "\"%s\"", value.c_str());
}
template <class T>
auto show_as(struct plumb_text *to, const T &value, rank<4>)
    -> decltype((void)value.first, (void)value.second)
{
    plumb_text_add(to, "(");
    show(to, value.first);
    plumb_text_add(to, ", ");
    show(to, value.second);
    plumb_text_add(to, ")");
}
template <class T>
auto show_as(struct plumb_text *to, const T &value, rank<3>) -> decltype((void)(value.begin() != value.end()))
{
    show_range(to, value.begin(), value.end());
}
template <class T>
auto show_as(struct plumb_text *to, const T &value, rank<2>)
    -> decltype((void)sizeof(typename T::container_type))
{
    show(to, opened<T>::of(value));
}
template <class T>
auto show_as(struct plumb_text *to, const T &value, rank<1>)
    -> decltype((void)value.has_value(), (void)*value)
{
    if (value.has_value())
        show(to, *value);
    else
        plumb_text_add(to, "none");
}
template <class T> void show_as(struct plumb_text *to, const T &, rank<0>)
{
    plumb_text_add(to, "...");
}

template <class T> void show(struct plumb_text *to, const T &value)
{
    show_as(to, value, rank<6>());
}

/* --- structures --- */

template <unsigned N> struct rule_list {
    plumb_rule at[N ? N : 1];
};

template <class State> void init(void *at)
{
    (new (here(), at) State())->plumb_init();
}
template <class State> void print(const void *at, struct plumb_text *to)
{
    static_cast<const State *>(at)->plumb_print(to);
}

/* Constants, so that nothing is initialised when the program runs. */
template <class State> struct structure_of {
    static const typename State::plumb_rules_type rules;
    static const plumb_structure value;
};
template <class State>
const typename State::plumb_rules_type structure_of<State>::rules = State::plumb_rules();
template <class State>
const plumb_structure structure_of<State>::value = State::plumb_describe(structure_of<State>::rules.at);

/* --- records --- */

enum slot_kind { SLOT_NONE, SLOT_VALUE, SLOT_VARIABLE };

template <class T, int Kind> struct slot_of {
    typedef T type;
    template <class U> void keep(const U &)
    {
    }
    const T &get() const
    {
        static_assert(sizeof(T) == 0, "a parameter or result that a specification uses can be copied");
        return *static_cast<const T *>(nullptr);
    }
    void show(struct plumb_text *to) const
    {
        plumb_text_add(to, "...");
    }
};
template <class T> struct slot_of<T, SLOT_VALUE> {
    typedef T type;
    alignas(T) unsigned char bytes[sizeof(T)];
    void keep(const T &value)
    {
        new (here(), bytes) T(value);
    }
    T get() const
    {
        return *reinterpret_cast<const T *>(bytes);
    }
    void show(struct plumb_text *to) const
    {
        plumb_annotated::show(to, *reinterpret_cast<const T *>(bytes));
    }
};
template <class T> struct slot_of<T, SLOT_VARIABLE> {
    typedef T type;
    T *at;
    void keep(T &value)
    {
        at = __builtin_addressof(value);
    }
    T &get() const
    {
        return *at;
    }
    void show(struct plumb_text *to) const
    {
        plumb_annotated::show(to, *at);
    }
};

template <class P, bool Used, bool Variable = is_variable<P>::value> struct slot_choice {
    typedef typename plain<P>::type type;
    enum {
        kind = (Used || __is_trivially_copyable(type)) && __is_constructible(type, const type &) ? SLOT_VALUE
                                                                                                 : SLOT_NONE
    };
};
template <class P, bool Used> struct slot_choice<P, Used, true> {
    typedef typename plain<P>::type type;
    enum { kind = Used ? SLOT_VARIABLE : SLOT_NONE };
};
template <class P, bool Used>
struct slot : slot_of<typename slot_choice<P, Used>::type, slot_choice<P, Used>::kind> {
};
/* The result: what it refers to, if it is a reference. */
template <class R, bool Used>
struct result_slot : slot_of<typename plain<R>::type, slot_choice<typename plain<R>::type, Used>::kind> {
};
template <bool Used> struct result_slot<void, Used> {
};

/* What a specification finds through a pointer, or a variable of the caller's. */
template <class T> void keep_pointee(void *record, T *pointer, unsigned count)
{
    if (pointer)
        plumb_call_pointee(record, const_cast<const void *>(static_cast<const volatile void *>(pointer)),
                           count * sizeof(T));
}
template <class T> void keep_pointee(void *, const T &, unsigned)
{
}
/* What other code finds through a pointer that it is given. */
template <class T> void keep_around(void *record, T *pointer)
{
    plumb_call_pointee(record, (const void *)pointer, 0);
}
template <class T> void keep_around(void *, const T &)
{
}
template <class T, int Kind> void keep_seen(void *record, const slot_of<T, Kind> &slot, unsigned count)
{
    keep_pointee(record, slot.get(), count);
}
template <class T> void keep_seen(void *record, const slot_of<T, SLOT_VARIABLE> &slot, unsigned)
{
    keep_pointee(record, slot.at, 1);
}

/* --- objects --- */

template <class T> struct is_class {
    enum { value = __is_class(T) || __is_union(T) };
};

template <class T, bool = is_class<T>::value> struct object_of {
    static const void *at(const volatile T &)
    {
        return nullptr;
    }
};
template <class T> struct object_of<T *, false> {
    static const void *at(T *pointer)
    {
        return is_class<T>::value ? const_cast<const void *>(static_cast<const volatile void *>(pointer))
                                  : nullptr;
    }
};
template <class P> struct is_object {
    enum { value = 0 };
};
template <class T> struct is_object<T *> {
    enum { value = is_class<T>::value };
};
template <class T> struct is_object<T *const> {
    enum { value = is_class<T>::value };
};
template <class T> struct is_object<T &> {
    enum { value = is_class<T>::value };
};

/* The first parameter, declared as P. */
template <class P> const void *default_object(typename plain<P>::type &first)
{
    if (is_object<P &&>::value && is_class<typename plain<P>::type>::value)
        return __builtin_addressof(first);
    return object_of<typename plain<P>::type>::at(first);
}
template <class T> const void *given_object(T *pointer)
{
    return const_cast<const void *>(static_cast<const volatile void *>(pointer));
}
inline const void *given_object(plumb_address number)
{
    return reinterpret_cast<const void *>(number);
}

/* --- calls as text, and calls that are left by an exception --- */

struct arguments {
    struct plumb_text *to;
    bool any;
    void name(const char *star, const char *text)
    {
        plumb_text_add(to, "%s%s%s = ", any ? ", " : "", star, text);
        any = true;
    }
    template <class S> void add(const char *text, const S &slot)
    {
        name("", text);
        slot.show(to);
    }
    /* What the pointer leads to. */
    template <class T> void add_seen(const char *text, T *pointer)
    {
        name("*", text);
        if (pointer)
            show(to, *pointer);
        else
            plumb_text_add(to, "?");
    }
    template <class T> void add_seen(const char *text, const T &value)
    {
        name("", text);
        show(to, value);
    }
};

struct call {
    void *record;
    ~call()
    {
        if (record)
            plumb_call_leave(record);
    }
};

} // namespace plumb_annotated
#endif

#endif
