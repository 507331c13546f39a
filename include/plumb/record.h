/* SPDX-License-Identifier: Apache-2.0 */
/* Records what the threads of a program do to its objects, for `plumb monitor` (docs/recording.md).
 *
 *     plumb_record_open("run.bin");             // before the threads use the objects
 *
 *     plumb_call("queue", "enq", 7);            // in any thread, around each operation
 *     enqueue(queue, 7);
 *     plumb_return(plumb_ok());
 *
 *     plumb_call("queue", "deq");
 *     found = dequeue(queue, &value);
 *     plumb_return(plumb_maybe(found, value));  // the value, or null
 *
 *     plumb_record_close();                     // when they have ended
 *
 * Link with -lplumb-record -pthread. C11 and C++11. An argument or a result is an integer, a string, a bool (of C: plumb_truth, because
 * `true` and comparisons are integers there), a pointer (a number; null is null), or one of the functions below; two or three of them are an array, as maps want their keys
 * and values. */
#ifndef PLUMB_RECORD_H
#define PLUMB_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef PLUMB_API
#define PLUMB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A file, a named pipe, or "-": standard output, which becomes standard error for everything else. Null: what the environment
 * variable PLUMB_RECORD names; without that nothing is recorded, and calls cost next to nothing. Takes up to a third of a
 * second, in which the clock is tried. Not 0: errno. */
PLUMB_API int plumb_record_open(const char *file);

/* The same for a descriptor, which plumb_record_close closes. */
PLUMB_API int plumb_record_open_descriptor(int descriptor);

/* When it returns, what has happened so far is in the file. Not 0: the recording has ended with an error; errno. */
PLUMB_API int plumb_record_flush(void);

/* Ends the file; at exit it is done without being asked for. Operations that are open count as pending, later ones are not recorded. Not 0: something
 * could not be written (errno), and the file says that it is not complete. */
PLUMB_API int plumb_record_close(void);

/* What the stamps of the recording are, in words. */
PLUMB_API const char *plumb_record_stamps(void);

/* ---- values ---- */

enum plumb_item_kind {
    PLUMB_ITEM_INTEGER,
    PLUMB_ITEM_UNSIGNED, /* more than an int64_t holds */
    PLUMB_ITEM_SPECIAL,  /* null, false, true, ok, unknown */
    PLUMB_ITEM_TEXT,
};

struct plumb_item {
    uint64_t kind; /* for texts with the length above the three lowest bits */
    union {
        int64_t integer;
        const char *text;
    } is;
};

static inline struct plumb_item plumb_item_special(int number)
{
    struct plumb_item item;
    item.kind = PLUMB_ITEM_SPECIAL;
    item.is.integer = number;
    return item;
}

/* Nothing: "empty", "absent". */
static inline struct plumb_item plumb_null(void)
{
    return plumb_item_special(0);
}

static inline struct plumb_item plumb_truth(bool is_true)
{
    return plumb_item_special(is_true ? 2 : 1);
}

/* A plain "done". */
static inline struct plumb_item plumb_ok(void)
{
    return plumb_item_special(3);
}

/* A result that the program does not look at: matches every result. */
static inline struct plumb_item plumb_unknown(void)
{
    return plumb_item_special(4);
}

static inline struct plumb_item plumb_integer(int64_t integer)
{
    struct plumb_item item;
    item.kind = PLUMB_ITEM_INTEGER;
    item.is.integer = integer;
    return item;
}

static inline struct plumb_item plumb_unsigned(uint64_t integer)
{
    struct plumb_item item;
    item.kind = integer > (uint64_t)INT64_MAX ? PLUMB_ITEM_UNSIGNED : PLUMB_ITEM_INTEGER;
    item.is.integer = (int64_t)integer;
    return item;
}

/* Bytes; if they are not UTF-8 they are recorded as an array of numbers. */
static inline struct plumb_item plumb_bytes(const char *bytes, size_t length)
{
    struct plumb_item item;
    item.kind = (uint64_t)length << 3 | PLUMB_ITEM_TEXT;
    item.is.text = bytes;
    return item;
}

static inline struct plumb_item plumb_text(const char *text)
{
    return text ? plumb_bytes(text, strlen(text)) : plumb_null();
}

static inline struct plumb_item plumb_address(const void *pointer)
{
    return pointer ? plumb_unsigned((uint64_t)(uintptr_t)pointer) : plumb_null();
}

static inline struct plumb_item plumb_item_same(struct plumb_item item)
{
    return item;
}

/* ---- calls and returns, as functions; the words above are below ---- */

/* `object` null: the program has but one. Names are compared by their content. Where a name, a text or an array is null that must not be, the
 * recording ends, and plumb_record_close returns an error (EINVAL). */
PLUMB_API void plumb_record_call(const char *object, const char *operation, struct plumb_item argument);
PLUMB_API void plumb_record_return(struct plumb_item result);
/* With an array as argument or result. */
PLUMB_API void plumb_record_call_array(const char *object, const char *operation,
                                       const struct plumb_item *arguments, size_t count);
PLUMB_API void plumb_record_return_array(const struct plumb_item *results, size_t count);

#ifdef __cplusplus
}

#include <type_traits>

inline plumb_item plumb_item_of(plumb_item item)
{
    return item;
}

inline plumb_item plumb_item_of(bool is_true)
{
    return plumb_truth(is_true);
}

inline plumb_item plumb_item_of(const char *text)
{
    return plumb_text(text);
}

inline plumb_item plumb_item_of(const void *pointer)
{
    return plumb_address(pointer);
}

inline plumb_item plumb_item_of(decltype(nullptr))
{
    return plumb_null();
}

template <class T>
typename std::enable_if<(std::is_integral<T>::value && std::is_signed<T>::value) || std::is_enum<T>::value,
                        plumb_item>::type
plumb_item_of(T integer)
{
    return plumb_integer(static_cast<int64_t>(integer));
}

template <class T>
typename std::enable_if<std::is_integral<T>::value && std::is_unsigned<T>::value, plumb_item>::type
plumb_item_of(T integer)
{
    return plumb_unsigned(integer);
}

/* std::string and its like. */
template <class T> auto plumb_item_of(const T &text) -> decltype(plumb_bytes(text.data(), text.size()))
{
    return plumb_bytes(text.data(), text.size());
}

inline void plumb_call(const char *object, const char *operation)
{
    plumb_record_call(object, operation, plumb_ok());
}

template <class A> void plumb_call(const char *object, const char *operation, const A &argument)
{
    plumb_record_call(object, operation, plumb_item_of(argument));
}

template <class A, class B, class... Rest>
void plumb_call(const char *object, const char *operation, const A &a, const B &b, const Rest &...rest)
{
    const plumb_item items[] = {plumb_item_of(a), plumb_item_of(b), plumb_item_of(rest)...};
    plumb_record_call_array(object, operation, items, 2 + sizeof...(rest));
}

inline void plumb_return()
{
    plumb_record_return(plumb_ok());
}

template <class A> void plumb_return(const A &result)
{
    plumb_record_return(plumb_item_of(result));
}

template <class A, class B, class... Rest> void plumb_return(const A &a, const B &b, const Rest &...rest)
{
    const plumb_item items[] = {plumb_item_of(a), plumb_item_of(b), plumb_item_of(rest)...};
    plumb_record_return_array(items, 2 + sizeof...(rest));
}

template <class A> plumb_item plumb_maybe(bool is_there, const A &value)
{
    return is_there ? plumb_item_of(value) : plumb_null();
}

#else

#define plumb_item_of(value) \
    _Generic((value),                     \
        struct plumb_item: plumb_item_same, \
        bool: plumb_truth,                \
        char: plumb_integer,              \
        signed char: plumb_integer,       \
        short: plumb_integer,             \
        int: plumb_integer,               \
        long: plumb_integer,              \
        long long: plumb_integer,         \
        unsigned char: plumb_unsigned,    \
        unsigned short: plumb_unsigned,   \
        unsigned int: plumb_unsigned,     \
        unsigned long: plumb_unsigned,    \
        unsigned long long: plumb_unsigned, \
        char *: plumb_text,               \
        const char *: plumb_text,         \
        void *: plumb_address,            \
        const void *: plumb_address)(value)

/* The value, or null. */
#define plumb_maybe(is_there, value) ((is_there) ? plumb_item_of(value) : plumb_null())

/* plumb_call(object, operation), and up to three arguments. */
#define plumb_call(...)                                                                            \
    PLUMB_RECORD_SIXTH(__VA_ARGS__, PLUMB_RECORD_CALL_3, PLUMB_RECORD_CALL_2, PLUMB_RECORD_CALL_1, \
                       PLUMB_RECORD_CALL_0, PLUMB_RECORD_CALL_0, 0)                                \
    (__VA_ARGS__)
/* plumb_return(result), and up to two more. */
#define plumb_return(...)                                                               \
    PLUMB_RECORD_SIXTH(0, 0, __VA_ARGS__, PLUMB_RECORD_RETURN_3, PLUMB_RECORD_RETURN_2, \
                       PLUMB_RECORD_RETURN_1, 0)                                        \
    (__VA_ARGS__)

#define PLUMB_RECORD_SIXTH(a, b, c, d, e, sixth, ...) sixth
#define PLUMB_RECORD_CALL_0(object, operation) plumb_record_call(object, operation, plumb_ok())
#define PLUMB_RECORD_CALL_1(object, operation, a) plumb_record_call(object, operation, plumb_item_of(a))
#define PLUMB_RECORD_CALL_2(object, operation, a, b) \
    plumb_record_call_array(object, operation,       \
                            (const struct plumb_item[]){plumb_item_of(a), plumb_item_of(b)}, 2)
#define PLUMB_RECORD_CALL_3(object, operation, a, b, c) \
    plumb_record_call_array(                            \
        object, operation,                              \
        (const struct plumb_item[]){plumb_item_of(a), plumb_item_of(b), plumb_item_of(c)}, 3)
#define PLUMB_RECORD_RETURN_1(a) plumb_record_return(plumb_item_of(a))
#define PLUMB_RECORD_RETURN_2(a, b) \
    plumb_record_return_array((const struct plumb_item[]){plumb_item_of(a), plumb_item_of(b)}, 2)
#define PLUMB_RECORD_RETURN_3(a, b, c) \
    plumb_record_return_array(         \
        (const struct plumb_item[]){plumb_item_of(a), plumb_item_of(b), plumb_item_of(c)}, 3)

#endif

#endif
