/* SPDX-License-Identifier: Apache-2.0 */
/* What specifications in comments become: `plumb annotate` writes code that uses this, and the runtime library provides the
 * functions. Not for users, who write comments (docs/annotations.md).
 *
 * A call of an annotated function is one record of values: its parameters, and what it returned. They are stored while
 * the runtime is quiet: nothing that happens then is an access of the program, and memory that is allocated lives until the
 * execution has been judged. Conditions and side effects run after the execution, with quiet runtime, too, on the record
 * and on the sequential state of the call's object. */
#ifndef PLUMB_ANNOTATIONS_H
#define PLUMB_ANNOTATIONS_H

#include <stddef.h> /* the compiler's own: the program's feature macros come later */

#ifdef __cplusplus
extern "C" {
#endif

/* A text that code of the specification writes: states and calls in reports. */
struct plumb_text;
void plumb_text_add(struct plumb_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Where an annotation stands: the comment's own line. */
struct plumb_place {
    const char *file;
    unsigned line, column;
};

/* "A(c) -> B(d)" of @Happens_Before. A condition that is left out is null. */
struct plumb_rule {
    const char *from, *from_condition, *to, *to_condition;
    struct plumb_place place;
};

/* Of @Structure_Define. Several translation units may have the same one: name and place identify it. */
struct plumb_structure {
    const char *name; /* of the class, or "" */
    struct plumb_place place;
    size_t size;                                             /* of the sequential state */
    void (*init)(void *state);                               /* the memory is zero before */
    void (*print)(const void *state, struct plumb_text *to); /* "q = [1, 2], n = 2" */
    const struct plumb_rule *rules;
    unsigned rule_count;
};

/* A piece of an @Interface: the code as the user wrote it, and its place. Null text: there is none. */
struct plumb_clause {
    const char *text;
    struct plumb_place place;
};

/* Of @Interface. */
struct plumb_interface {
    const char *name;     /* "Read" */
    const char *function; /* "RCU::read" */
    struct plumb_place place;
    const struct plumb_structure *structure;
    size_t size;                   /* of a record */
    const char *const *points;     /* labels of @Ordering_Point_Set; the last is null */
    const char *const *conditions; /* names of @HB_Condition; the last is null, at most 64 */
    struct plumb_clause pre, side, post;
    int (*check_pre)(void *state, void *record); /* null: there is none */
    void (*run_side)(void *state, void *record);
    int (*check_post)(void *state, void *record);
    void (*print)(const void *record, struct plumb_text *to);        /* "read(data = 1)" */
    void (*print_result)(const void *record, struct plumb_text *to); /* "1"; null: void */
    unsigned char side_uses_result, pre_uses_result;
};

/* A call begins: the runtime becomes quiet, and there is a record, all zero. Null: nothing is recorded (the program
 * runs without plumb, or annotations are ignored); then no other function is called with it. */
void *plumb_call_begin(const struct plumb_interface *interface, const void *object);
/* The bytes there are kept. Of a pointer that the specification looks through: before plumb_call_run as its precondition finds
 * them, before plumb_call_end as the others do. They are at their address while the code runs. Size 0: as many as
 * there are, up to a limit; the address may be null. */
void plumb_call_pointee(void *record, const void *at, size_t size);
void plumb_call_run(void *record);    /* the parameters are stored: the body follows */
void plumb_call_finish(void *record); /* the body has returned: quiet again */
/* The result is stored. `conditions`: a bit for each that holds. */
void plumb_call_end(void *record, __UINT64_TYPE__ id, __UINT64_TYPE__ conditions);
/* The body was left otherwise (an exception): the call stays without result. After plumb_call_end: nothing happens. */
void plumb_call_leave(void *record);

/* Ordering points. `condition` was computed between plumb_quiet_at and here, which ends it. */
enum plumb_point_kind {
    PLUMB_POINT_POTENTIAL,   /* the last atomic operation of this thread is kept under the label */
    PLUMB_POINT_CHECK,       /* the one kept last under `potential` is a point: `label` */
    PLUMB_POINT_LABEL_CHECK, /* both: the last atomic operation is a point */
    PLUMB_POINT_CLEAR,       /* the call has had no points */
};
struct plumb_ordering_point {
    enum plumb_point_kind kind;
    const char *label, *potential;
    struct plumb_place place;
};
void plumb_quiet(void);
/* `what`: "@Ordering_Point_Clear" */
void plumb_quiet_at(const struct plumb_place *place, const char *what);
/* The object of a call that begins, computed between plumb_quiet and here. */
const void *plumb_object(const void *object);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a structure has the same name: g++ warns */
void plumb_point(const struct plumb_ordering_point *point, int condition);
#pragma GCC diagnostic pop

#ifdef __cplusplus
}
#endif

#endif
