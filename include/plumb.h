/* SPDX-License-Identifier: Apache-2.0 */
/* The harness: says which operations an object has, in C11 or C++11.
 *
 *     #include <plumb.h>
 *     static struct stack s;
 *
 *     PLUMB_OBJECT(stack)
 *     PLUMB_SETUP()          { stack_init(&s); }
 *     PLUMB_OP(push, int, v) { stack_push(&s, v); return PLUMB_OK; }
 *     PLUMB_OP(pop)          { int v; return stack_pop(&s, &v) ? PLUMB_INT(v) : PLUMB_NONE; }
 *
 * Then `plumb check t.c --test 'push(1) pop | push(2) pop'` runs the test under many schedules and judges
 * what the operations answered. docs/harness.md explains all of it. Names that end in an underscore are not
 * for users. */
#ifndef PLUMB_H
#define PLUMB_H

/* Where plumb/spec.h came first, and in Plumbline itself, values are words. */
#if !defined(PLUMB_VALUE_H) && !defined(PLUMB_WORD_VALUES)
#define PLUMB_POINTER_VALUES_
#endif
#include <plumb/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One argument of a call in a test: a number (also for bool), or a text. */
struct plumb_argument {
    int64_t number;
    const char *text;
};

enum plumb_part_kind {
    PLUMB_PART_OBJECT,
    PLUMB_PART_SETUP,
    PLUMB_PART_TEARDOWN,
    PLUMB_PART_INVARIANT,
    PLUMB_PART_OP,
    PLUMB_PART_TRY,
    PLUMB_PART_TEST,
    PLUMB_PART_ROLE,
    PLUMB_PART_ROLE_MANY,
    PLUMB_PART_THREAD_SETUP,
    PLUMB_PART_THREAD_TEARDOWN,
    PLUMB_PART_SYNC,
    PLUMB_PART_VALUES,
};

enum { PLUMB_ARGUMENTS_MAX = 3 };

/* What one macro of the harness says. */
struct plumb_part {
    enum plumb_part_kind kind;
    const char *object; /* "": the one without name */
    const char *name;   /* of the operation, or role */
    /* Object: its specification, or ""; try: the arguments; test; role: operations; sync: the later operation; values; invariant: when */
    const char *text;
    char types[PLUMB_ARGUMENTS_MAX + 1]; /* a letter per argument */
    plumb_value (*run)(const struct plumb_argument *arguments);
    const char *file; /* where the macro stands */
    unsigned line;
};

/* ---- provided by Plumbline's runtime library ---- */

void plumb_register(const struct plumb_part *part);
plumb_value plumb_result_wide(int64_t i);
plumb_value plumb_result_string(const char *s);
plumb_value plumb_result_array(const plumb_value *items, size_t count);

/* A number below `ways`: every one is tried. */
unsigned plumb_choose(unsigned ways);
/* Executions in which it is false do not count. */
void plumb_assume(bool holds);

/* Which thread of the test calls the operation: 1, 2, ...; 0: before the threads start, or after they have
 * ended. */
unsigned plumb_thread(void);

/* ---- results of operations, besides PLUMB_OK and PLUMB_NONE ---- */

static inline plumb_value plumb_result_int(int64_t i)
{
    return i >= PLUMB_SMALL_MIN && i <= PLUMB_SMALL_MAX ? (plumb_value)((uint64_t)i << 3)
                                                        : plumb_result_wide(i);
}

#ifdef __cplusplus
#define PLUMB_INT(i) plumb_result_int((int64_t)(i))
#else
#define PLUMB_INT(i) plumb_result_int((int64_t)((i) + 0)) /* to clang 14 an assignment to an atomic is one */
#endif
#define PLUMB_BOOL(b) plumb_bool(b)
#define PLUMB_STRING(s) plumb_result_string(s) /* a null pointer is PLUMB_NONE */
#define PLUMB_ARRAY(items, count) plumb_result_array(items, count)

#ifdef __cplusplus
}
#endif

/* ---- types of arguments ---- */

/* Signed integers of 8, 16, 32, 64 bits: c h i l; unsigned ones: C H I L; bool b; text s. */
#ifdef __cplusplus
template <typename type> struct plumb_type_ { /* none of those below */
    static constexpr char letter = '?';
    static type take(const plumb_argument &);
};
#define PLUMB_TYPE_(type, tag, member)            \
    template <> struct plumb_type_<type> {        \
        static constexpr char letter = tag;       \
        static type take(const plumb_argument &a) \
        {                                         \
            return static_cast<type>(a.member);   \
        }                                         \
    };
PLUMB_TYPE_(bool, 'b', number)
PLUMB_TYPE_(char, 'c', number)
PLUMB_TYPE_(signed char, 'c', number)
PLUMB_TYPE_(short, 'h', number)
PLUMB_TYPE_(int, 'i', number)
PLUMB_TYPE_(long, 'l', number)
PLUMB_TYPE_(long long, 'l', number)
PLUMB_TYPE_(unsigned char, 'C', number)
PLUMB_TYPE_(unsigned short, 'H', number)
PLUMB_TYPE_(unsigned, 'I', number)
PLUMB_TYPE_(unsigned long, 'L', number)
PLUMB_TYPE_(unsigned long long, 'L', number)
PLUMB_TYPE_(const char *, 's', text)
#undef PLUMB_TYPE_
#define PLUMB_LETTER_(type) plumb_type_<type>::letter
#define PLUMB_TAKE_(type, a) plumb_type_<type>::take(a)
#else
#define PLUMB_LETTER_(type) \
    _Generic((type)0, _Bool: 'b', char: 'c', signed char: 'c', short: 'h', int: 'i', long: 'l',     \
        long long: 'l', unsigned char: 'C', unsigned short: 'H', unsigned: 'I', unsigned long: 'L', \
        unsigned long long: 'L', const char *: 's', default: '?')
#define PLUMB_TAKE_(type, a) ((type) _Generic((type)0, const char * : (a).text, default : (a).number))
#endif

#ifdef __cplusplus
#define PLUMB_ASSERT_ static_assert
#else
#define PLUMB_ASSERT_ _Static_assert
#endif
#define PLUMB_SUPPORTED_(type)                \
    PLUMB_ASSERT_(PLUMB_LETTER_(type) != '?', \
                  "an argument of an operation is an integer, bool or const char *");

/* ---- how parts are made ---- */

#define PLUMB_PASTE_(a, b) a##b
#define PLUMB_TEXT_(...) #__VA_ARGS__

#define PLUMB_PART_(id, ...)                                                                          \
    static const struct plumb_part PLUMB_PASTE_(plumb_part_, id) = {__VA_ARGS__, __FILE__, __LINE__}; \
    __attribute__((constructor)) static void PLUMB_PASTE_(plumb_register_, id)(void)                  \
    {                                                                                                 \
        plumb_register(&PLUMB_PASTE_(plumb_part_, id));                                               \
    }

/* A part without code, and one with code. Arguments come from the runtime's memory, which is not under test;
 * the bodies that users write are instrumented as usual. */
#define PLUMB_DATA_(id, kind, object, name, text) PLUMB_PART_(id, kind, object, name, text, {0, 0, 0, 0}, 0)
#define PLUMB_RUN_(id)                                                                      \
    __attribute__((no_sanitize("thread"))) static plumb_value PLUMB_PASTE_(plumb_run_, id)( \
        const struct plumb_argument *a)
#define PLUMB_CODE_(id, kind, object, name, l0, l1, l2) \
    PLUMB_PART_(id, kind, object, name, "", {l0, l1, l2, 0}, PLUMB_PASTE_(plumb_run_, id))

#define PLUMB_ACTION_(id, kind)                      \
    static void PLUMB_PASTE_(plumb_body_, id)(void); \
    PLUMB_RUN_(id)                                   \
    {                                                \
        (void)a;                                     \
        PLUMB_PASTE_(plumb_body_, id)();             \
        return PLUMB_OK;                             \
    }                                                \
    PLUMB_CODE_(id, kind, "", "", 0, 0, 0)           \
    static void PLUMB_PASTE_(plumb_body_, id)(void)

#define PLUMB_QUESTION_(id, when)                                                                   \
    static bool PLUMB_PASTE_(plumb_body_, id)(void);                                                \
    PLUMB_RUN_(id)                                                                                  \
    {                                                                                               \
        (void)a;                                                                                    \
        return plumb_bool(PLUMB_PASTE_(plumb_body_, id)());                                         \
    }                                                                                               \
    PLUMB_PART_(id, PLUMB_PART_INVARIANT, "", "", when, {0, 0, 0, 0}, PLUMB_PASTE_(plumb_run_, id)) \
    static bool PLUMB_PASTE_(plumb_body_, id)(void)

#define PLUMB_OP0_(id, object, name)                      \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(void); \
    PLUMB_RUN_(id)                                        \
    {                                                     \
        (void)a;                                          \
        return PLUMB_PASTE_(plumb_op_, id)();             \
    }                                                     \
    PLUMB_CODE_(id, PLUMB_PART_OP, object, name, 0, 0, 0) \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(void)

#define PLUMB_OP1_(id, object, name, T, x)                               \
    PLUMB_SUPPORTED_(T)                                                  \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(T);                   \
    PLUMB_RUN_(id)                                                       \
    {                                                                    \
        return PLUMB_PASTE_(plumb_op_, id)(PLUMB_TAKE_(T, a[0]));        \
    }                                                                    \
    PLUMB_CODE_(id, PLUMB_PART_OP, object, name, PLUMB_LETTER_(T), 0, 0) \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(T x)

#define PLUMB_OP2_(id, object, name, T, x, U, y)                                        \
    PLUMB_SUPPORTED_(T)                                                                 \
    PLUMB_SUPPORTED_(U)                                                                 \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(T, U);                               \
    PLUMB_RUN_(id)                                                                      \
    {                                                                                   \
        return PLUMB_PASTE_(plumb_op_, id)(PLUMB_TAKE_(T, a[0]), PLUMB_TAKE_(U, a[1])); \
    }                                                                                   \
    PLUMB_CODE_(id, PLUMB_PART_OP, object, name, PLUMB_LETTER_(T), PLUMB_LETTER_(U), 0) \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(T x, U y)

#define PLUMB_OP3_(id, object, name, T, x, U, y, V, z)                                                 \
    PLUMB_SUPPORTED_(T)                                                                                \
    PLUMB_SUPPORTED_(U)                                                                                \
    PLUMB_SUPPORTED_(V)                                                                                \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(T, U, V);                                           \
    PLUMB_RUN_(id)                                                                                     \
    {                                                                                                  \
        return PLUMB_PASTE_(plumb_op_, id)(PLUMB_TAKE_(T, a[0]), PLUMB_TAKE_(U, a[1]),                 \
                                           PLUMB_TAKE_(V, a[2]));                                      \
    }                                                                                                  \
    PLUMB_CODE_(id, PLUMB_PART_OP, object, name, PLUMB_LETTER_(T), PLUMB_LETTER_(U), PLUMB_LETTER_(V)) \
    static plumb_value PLUMB_PASTE_(plumb_op_, id)(T x, U y, V z)

/* A result that no macro made is an error; in C++ it is one anyway, and before the first operation it is not ours to say. */
#ifdef __cplusplus
#define PLUMB_STRICT_
#else
#define PLUMB_STRICT_                                    \
    _Pragma("GCC diagnostic error \"-Wint-conversion\"") \
        _Pragma("GCC diagnostic error \"-Wincompatible-pointer-types\"")
#endif

/* Which of the macros takes so many words: a name and then pairs of type and parameter. */
#define PLUMB_PICK_(n, a, b, c, d, e, f, macro, ...) macro
#define PLUMB_WRONG_(...) an_operation_takes_pairs_of_type_and_name
#define PLUMB_NAMED0_(n) PLUMB_OP0_(op_##n, "", #n)
#define PLUMB_NAMED1_(n, T, x) PLUMB_OP1_(op_##n, "", #n, T, x)
#define PLUMB_NAMED2_(n, T, x, U, y) PLUMB_OP2_(op_##n, "", #n, T, x, U, y)
#define PLUMB_NAMED3_(n, T, x, U, y, V, z) PLUMB_OP3_(op_##n, "", #n, T, x, U, y, V, z)
#define PLUMB_ON0_(o, n) PLUMB_OP0_(on_##o##_##n, #o, #n)
#define PLUMB_ON1_(o, n, T, x) PLUMB_OP1_(on_##o##_##n, #o, #n, T, x)
#define PLUMB_ON2_(o, n, T, x, U, y) PLUMB_OP2_(on_##o##_##n, #o, #n, T, x, U, y)
#define PLUMB_ON3_(o, n, T, x, U, y, V, z) PLUMB_OP3_(on_##o##_##n, #o, #n, T, x, U, y, V, z)

/* ---- what a harness is written with ---- */

/* The object under test and its specification (`plumb specs` lists them), perhaps with what it starts from,
 * as in PLUMB_OBJECT(semaphore(3)); without a name none is fixed. */
#define PLUMB_OBJECT(...) PLUMB_DATA_(object, PLUMB_PART_OBJECT, "", "", #__VA_ARGS__)
/* One of several objects. */
#define PLUMB_OBJECT_NAMED(object, ...) \
    PLUMB_DATA_(object_##object, PLUMB_PART_OBJECT, #object, "", #__VA_ARGS__)

/* Before and after each execution, in the main thread. */
#define PLUMB_SETUP() PLUMB_ACTION_(setup, PLUMB_PART_SETUP)
#define PLUMB_TEARDOWN() PLUMB_ACTION_(teardown, PLUMB_PART_TEARDOWN)

/* In each thread that calls operations: before its first and after its last one. Thread 0 is one of these
 * when the test has operations before or after the others. */
#define PLUMB_THREAD_SETUP() PLUMB_ACTION_(thread_setup, PLUMB_PART_THREAD_SETUP)
#define PLUMB_THREAD_TEARDOWN() PLUMB_ACTION_(thread_teardown, PLUMB_PART_THREAD_TEARDOWN)

/* PLUMB_ROLE(producer, enq): one thread of a test, and no other, may call these operations. PLUMB_ROLE_MANY:
 * any number of threads may. A thread has one role; operations of no role are everybody's. */
#define PLUMB_ROLE(role, ...) PLUMB_DATA_(role_##role, PLUMB_PART_ROLE, "", #role, PLUMB_TEXT_(__VA_ARGS__))
#define PLUMB_ROLE_MANY(role, ...) \
    PLUMB_DATA_(role_##role, PLUMB_PART_ROLE_MANY, "", #role, PLUMB_TEXT_(__VA_ARGS__))

/* Has to return true when all operations are done, before the teardown. PLUMB_INVARIANT(between_calls): whenever no call is open, too.
 * PLUMB_INVARIANT(every_step): after every atomic or synchronizing step, too (--mode dfs, random, pct). */
#define PLUMB_INVARIANT(...) PLUMB_QUESTION_(invariant_##__VA_ARGS__, #__VA_ARGS__)

/* PLUMB_OP(name, type, parameter, ...): an operation with up to three arguments; returns its result. */
#define PLUMB_OP(...)                                                                                 \
    PLUMB_STRICT_                                                                                     \
    PLUMB_PICK_(__VA_ARGS__, PLUMB_NAMED3_, PLUMB_WRONG_, PLUMB_NAMED2_, PLUMB_WRONG_, PLUMB_NAMED1_, \
                PLUMB_WRONG_, PLUMB_NAMED0_, 0)                                                       \
    (__VA_ARGS__)
/* The same for a named object. */
#define PLUMB_OP_ON(object, ...)                                                                           \
    PLUMB_STRICT_                                                                                          \
    PLUMB_PICK_(__VA_ARGS__, PLUMB_ON3_, PLUMB_WRONG_, PLUMB_ON2_, PLUMB_WRONG_, PLUMB_ON1_, PLUMB_WRONG_, \
                PLUMB_ON0_, 0)                                                                             \
    (object, __VA_ARGS__)

/* PLUMB_VALUES(1..): the values that elements of the container can have; "..9", "-3..3"; "1.., distinct": none of them is inside twice.
 * Generated tests try 0, -1, the least value and equal ones unless this says that they are none. */
#define PLUMB_VALUES(...) PLUMB_DATA_(values, PLUMB_PART_VALUES, "", "", #__VA_ARGS__)
#define PLUMB_VALUES_ON(object, ...) \
    PLUMB_DATA_(values_##object, PLUMB_PART_VALUES, #object, "", #__VA_ARGS__)

/* PLUMB_TRY(push, 200, 400): the arguments that generated tests use, as literals; of an operation with two
 * arguments two belong to one call, and so on. */
#define PLUMB_TRY(operation, ...) \
    PLUMB_DATA_(try_##operation, PLUMB_PART_TRY, "", #operation, PLUMB_TEXT_(__VA_ARGS__))
#define PLUMB_TRY_ON(object, operation, ...) \
    PLUMB_DATA_(try_##object##_##operation, PLUMB_PART_TRY, #object, #operation, PLUMB_TEXT_(__VA_ARGS__))

/* PLUMB_SYNC(put, get): a call of put happens before the return of the get that answers what put had as its (last)
 * argument. Values that are put in should differ. */
#define PLUMB_SYNC(earlier, later) \
    PLUMB_DATA_(sync_##earlier##_##later, PLUMB_PART_SYNC, "", #earlier, #later)
#define PLUMB_SYNC_ON(object, earlier, later) \
    PLUMB_DATA_(sync_##object##_##earlier##_##later, PLUMB_PART_SYNC, #object, #earlier, #later)

/* PLUMB_TEST("push(1) | pop"): what `plumb check` runs when no other test is given. */
#define PLUMB_TEST(matrix) PLUMB_DATA_(test, PLUMB_PART_TEST, "", "", matrix)

/* An operation that forgets its answer is a mistake, not a warning. */
#pragma GCC diagnostic error "-Wreturn-type"

#endif
