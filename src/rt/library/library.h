/* SPDX-License-Identifier: Apache-2.0 */
/* What functions of libraries read and write. The table is a list of lines
 *
 *     F(name, "items")    or H(name, "items") if the runtime replaces the function and announces all this itself
 *
 * in the files library_*.def. The items of a line, separated by spaces, say what one call does; arguments are
 * counted from 1, floating-point ones are not counted. Null pointers are passed over. No item: the function
 * touches no memory of the program.
 *
 *   rN:EXTENT  reads memory at argument N         wN:EXTENT  writes there
 *   mEXTENT    returns a pointer to memory of its own, which it has written
 *   q=NAME o=NAME  uses, changes a hidden object: calls that use it do not race with each other
 *   hN HN      uses the directory or the like at argument N, which locks it; without a lock, or for the last time
 *   fN FN      the same for a stream and the file behind it (N = 0: the standard input)
 *   dN DN      looks at, changes the file with the descriptor at argument N (N = 0: all of them)
 *   nN NN      looks at, changes the file with the name at argument N
 *   u=KIND U=KIND  looks at, changes what else is outside of memory (rt/system/outside.h)
 *   p.N pvN    format of printf at argument N, values follow as arguments, as a va_list; P: a wide one
 *   c.N cvN    the same for scanf; C: a wide one
 *   iN*K jN*K  reads, writes the memory of K (an argument) struct iovec at argument N
 *   xNAME      a function of library_special.c
 *
 * EXTENT is one of
 *   s S        a string, a wide one               s<K S<K    of at most as many characters as argument K says
 *   s^ S^ A^   up to the character at the result, or all of it if that is null (A: a product)
 *   dK DK      up to where it differs from the string at argument K, with <J: at most argument J characters
 *   eK EK      the same, upper and lower case being equal
 *   iK         digits in the base that argument K says (0: ten)     f  a floating-point number
 *   a product of factors: 12 (bytes), @K (argument), R (result), R1 (result + 1), {type} (its size);
 *   R<K: at most argument K
 * and may end in a condition on the result: ?0 (zero), ?p (not zero), ?+ (not negative). */
#ifndef RT_LIBRARY_H
#define RT_LIBRARY_H

#include "engine/code/imports.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers of a call, as library_enter.S saves them: first as va_arg wants them. */
struct library_frame {
#if defined(__x86_64__)
    uint64_t integers[6];
    uint64_t vectors[8][2];
    uint64_t vector_count;
#else
    uint64_t integers[8];
    uint64_t vectors[8][2];
    uint64_t structure; /* where a large result goes */
#endif
    uint64_t result, second;
};

enum library_what {
    LIBRARY_READ,
    LIBRARY_WRITE,
    LIBRARY_OWN,
    LIBRARY_USE,
    LIBRARY_CHANGE,
    LIBRARY_STREAM,
    LIBRARY_FILE,
    LIBRARY_PATH,
    LIBRARY_OUTSIDE,
    LIBRARY_PRINT,
    LIBRARY_SCAN,
    LIBRARY_GATHER,
    LIBRARY_SCATTER,
    LIBRARY_SPECIAL,
};

enum library_extent {
    EXTENT_PRODUCT,
    EXTENT_STRING,
    EXTENT_DIFFERENCE,
    EXTENT_DIFFERENCE_CASE,
    EXTENT_INTEGER,
    EXTENT_FLOAT,
};

enum library_condition { WHEN_ALWAYS, WHEN_ZERO, WHEN_NOT_ZERO, WHEN_NOT_NEGATIVE };

enum { LIBRARY_ITEMS = 10, LIBRARY_FACTORS = 2 };

struct library_call;
typedef void library_special(const struct library_call *c, bool after);

struct library_item {
    uint8_t what;     /* enum library_what */
    uint8_t argument; /* 0: none */
    uint8_t extent;   /* enum library_extent */
    uint8_t unit;     /* bytes of a character */
    uint8_t other;    /* argument: the other string, the base, the number of parts */
    uint8_t most;     /* argument: characters at most; 0: any number */
    uint8_t condition;
    bool changes;                     /* what is outside of memory; a stream: without a lock */
    bool to_result;                   /* ends at the result */
    bool late;                        /* known after the call */
    bool has_list;                    /* formats: a va_list follows */
    uint8_t factors[LIBRARY_FACTORS]; /* arguments, multiplied; 0: none */
    bool by_result;                   /* the result is a factor, with so much added: */
    uint8_t added;
    uint32_t constant; /* factor */
    uint32_t object;
    library_special *special;
};

struct library_row {
    uint32_t count;
    bool late;            /* some item is */
    uint32_t stack_words; /* of arguments that may be on the stack */
    struct library_item items[LIBRARY_ITEMS];
};

/* A call that is under way. */
struct library_call {
    const struct import_call *import;
    const struct library_row *row;
    struct library_frame *frame;
    const uint64_t *stack; /* further arguments */
    const void *pc;
    /* Nothing is announced: what is read must not overlap this, which is not empty then */
    uint64_t apart_from, apart_to;
};

/* The items of a line; false: they say nothing. */
bool library_parse(const char *items, struct library_row *row);

/* The line of a function, or null. */
const struct library_line *library_find(const char *name);
extern const struct library_line {
    const char *name, *items;
    bool is_hooked; /* the runtime replaces the function and announces what it does */
} library_lines[];
extern const size_t library_line_count;
bool library_is_harmless(const char *library); /* as far as its functions have no line */

/* Names of hidden objects, by number. */
const char *library_object_name(uint32_t number);

uint64_t library_argument(const struct library_call *c, unsigned number);

/* Announce what a call does in memory. */
void library_access(const struct library_call *c, uint64_t address, size_t size, bool writes);
/* The same when it has happened already. */
void library_access_late(const struct library_call *c, uint64_t address, size_t size, bool writes);
void library_use(const struct library_call *c, uint32_t object, bool writes);
void library_use_handle(const struct library_call *c, uint64_t handle, bool writes);
void library_read_string(const struct library_call *c, uint64_t address, size_t size);

/* The function copies from one to the other, which must not overlap. */
void library_check_apart(const struct library_call *c, uint64_t to, size_t to_size, uint64_t from,
                         size_t from_size);
/* A stream or directory is closed, and used again; the C library has allocated something at that address. */
void library_close_handle(uint64_t handle);
void library_check_handle(const struct library_call *c, uint64_t handle);
void library_forget_handle(uint64_t handle);

/* What printf reads, and scanf has written; from a string it must not overlap (`xscanned`). */
void library_print(const struct library_call *c, const struct library_item *i);
void library_scan(const struct library_call *c, const struct library_item *i);

/* The same for functions of the runtime: what the values of a format are read for. */
void library_print_values(const char *function, const char *format, void *list, const void *pc);
/* They must not overlap what is written. */
void library_check_print(const char *function, const char *format, void *list, const char *to, size_t size,
                         const void *pc);

library_special *library_find_special(const char *name);
/* Uses a hidden object by name. */
void library_use_named(const struct library_call *c, const char *object, bool writes);

/* Before the first execution: the table is asked from then on. */
void library_prepare(void);

/* What the row of a call says that it does before, or after; `stack`: null if its arguments are all in registers. */
void library_do_items(struct import_call *import, struct library_frame *f, const uint64_t *stack,
                      const void *pc, bool after);

/* From library_enter.S. The first returns how many words of the stack are arguments of a call that returns to the
 * second; -1: the call need not return to us. */
long library_before(struct import_call *import, struct library_frame *f, const uint64_t *stack,
                    const void *pc);
void library_after(struct import_call *import, struct library_frame *f, const uint64_t *stack,
                   const void *pc);
void library_enter(void);

/* Functions whose accesses no line of the table can say: `xNAME` in library.h. */

/* clang-format off */
#define LIBRARY_SPECIALS(X) \
    X(strtok) X(strtok_r) X(strsep) X(wcstok) X(strcat) X(strncat) X(wcscat) X(wcsncat) X(strcpy) \
    X(wcscpy) X(memccpy) X(mbsrtowcs) X(mbsnrtowcs) X(wcsrtombs) X(wcsnrtombs) X(state3) X(state4) \
    X(state5) X(iconv) X(strings) X(options) X(sendmsg) X(recvmsg) X(sendmmsg) X(recvmmsg) \
    X(address2) X(address4) X(address5) X(insque) X(remque) X(lfind) X(lsearch) X(bsearch) \
    X(tsearch) X(tfind) X(memstream) X(fmemopen) X(flush) X(close) X(getsubopt) X(swab) X(getline) \
    X(dlsym) X(setlocale) X(tmpnam) X(stdin) X(stdout) X(fesetenv) X(fesetmode) X(string2) X(path1) \
    X(path2) X(path_made) X(path_changed) X(to_chars) X(from_chars) X(input) X(input_string) \
    X(input_array) X(ios_words) X(ios_callbacks) X(locale_made) X(environment) X(msgsnd) \
    X(jump) X(inet_pton) X(getgrouplist) X(apart) X(strerror) X(strsignal) X(strerror_r) X(scanned) X(strxfrm) X(frees) X(later) \
    X(buffer) X(setcontext) X(swapcontext) X(prctl) X(fcntl) X(mincore)
/* clang-format on */

/* One of them: `c` is the call, `after` says whether it has been made. With a body, or a single statement. */
#define LIBRARY_DO(name) \
    void library_do_##name(const struct library_call *c, bool after __attribute__((unused)))
#define LIBRARY_IS(name, statement) \
    LIBRARY_DO(name)                \
    {                               \
        statement;                  \
    }

#define X(name) library_special library_do_##name;
LIBRARY_SPECIALS(X)
#undef X

#endif
