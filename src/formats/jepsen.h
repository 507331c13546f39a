/* SPDX-License-Identifier: Apache-2.0 */
/* Jepsen's histories: events of processes, whatever they were written in.
 *
 * An :invoke begins an operation; :ok ends it; :fail says that it never took effect; after :info, or nothing,
 * it is pending forever, and its process comes back under another name if it does. Processes are integers or
 * strings; everything else, such as :nemesis, acts beside the operations and leaves marks. */
#ifndef FORMATS_JEPSEN_H
#define FORMATS_JEPSEN_H

#include "formats/formats.h"

enum jepsen_type { JEPSEN_INVOKE, JEPSEN_OK, JEPSEN_FAIL, JEPSEN_INFO, JEPSEN_TYPES };

extern const char *const jepsen_type_names[JEPSEN_TYPES];

#define JEPSEN_ABSENT PLUMB_OK /* of a member that the event does not have */

/* Values are as of formats/edn.h. The last five are members that only we write, for what Jepsen's cannot
 * say. */
struct jepsen_event {
    plumb_value process, f, value;
    plumb_value key; /* a member :key */
    enum jepsen_type type;
    uint64_t line, column;
    plumb_value op;          /* :plumb/op, the name of the operation, a string */
    plumb_value arg, result; /* :plumb/arg, :plumb/result: [] none, [v] v, :unknown unknown */
    plumb_value object;      /* :plumb/object, the object's name; nil: the unnamed one */
    plumb_value stamp;       /* :plumb/stamp, an integer */
};

/* ---- what events mean ---- */

/* Kinds of operations, by what the value of the event that ends them is. */
enum jepsen_kind {
    /* The argument again, or nothing: no answer; anything else is the answer */
    KIND_PLAIN,
    KIND_ANSWERS, /* always the answer */
    KIND_READ,    /* the same; nil may mean that it is not known */
    KIND_LIST,    /* the same: a collection, whose items count; nil means that it is not known */
    KIND_CAS,     /* the argument; :ok and :fail are the answers true and false */
};

struct jepsen_function {
    const char *f;  /* without the colon */
    const char *op; /* what the specifications call it */
    enum jepsen_kind kind;
    /* With a member :key, that is the first argument; else it names the object */
    bool keyed;
};

/* The function of this name; an unknown one is plain and its operation has the same name. */
struct jepsen_function jepsen_function_of_name(const char *name);
/* The function whose operation is `op`. */
struct jepsen_function jepsen_function_of_op(const char *op);

/* Of an object that is read and added to, and nothing else, a read asks for the sum: a counter's "get". If it answers a collection,
 * and nothing is written, it asks for all items of a set: "items". */
struct jepsen_vocabulary {
    bool adds, writes, others;
    bool lists; /* a read answers a collection */
};

void jepsen_vocabulary_see(struct jepsen_vocabulary *v, const char *op);
const char *jepsen_read_name(const struct jepsen_vocabulary *v);
bool jepsen_is_set(const struct jepsen_vocabulary *v); /* that is read as a whole */

/* An operation as its two events say, and as it is understood. */
struct jepsen_call {
    plumb_value invoked, ended; /* values; JEPSEN_ABSENT: none */
    plumb_value key;            /* of :key, for functions that take it as an argument */
    enum jepsen_type end;       /* JEPSEN_INVOKE: none */
    plumb_value arg, result;    /* understood */
    bool pending, dropped;
};

/* Fills in the lower half. `o` has no usual meanings left (jepsen_settle). */
void jepsen_understand(struct plumb_values *values, const struct jepsen_function *f, struct jepsen_call *c,
                       const struct format_options *o);

/* ... of a set that is read as a whole: additions and removals do not say whether they changed it. */
void jepsen_understand_set(struct plumb_values *values, const struct jepsen_function *f,
                           struct jepsen_call *c, const struct format_options *o);

/* The items of a collection: vector, list or set; of a map its entries [k v]. Any other value: itself. */
plumb_value jepsen_list_of(struct plumb_values *values, plumb_value v);
/* An item at the beginning of a vector, as it would be elsewhere: EDN's vectors escape their heads. */
plumb_value jepsen_bare_head(struct plumb_values *values, plumb_value head);

/* Options in which what is usual for the format is said. */
struct format_options jepsen_settle(const struct format_options *o, enum format format);

/* ---- tuples ---- */

/* Do all values look like [k v] of independent keys? Fed with every operation. */
struct jepsen_tuples {
    bool possible, likely;
};

static inline struct jepsen_tuples jepsen_tuples_start(void)
{
    return (struct jepsen_tuples){.possible = true};
}

void jepsen_tuples_see(struct jepsen_tuples *t, const struct plumb_values *values,
                       const struct jepsen_function *f, const struct jepsen_call *c);

/* ---- from events to a history ---- */

struct jepsen;

struct jepsen *jepsen_begin(struct history *h, const struct format_options *o, enum format format,
                            struct diagnostic *d);

/* False: *d says what is wrong with it. */
bool jepsen_add(struct jepsen *j, const struct jepsen_event *e);

/* Is it a process that calls operations, unlike :nemesis? */
bool jepsen_is_client(const struct plumb_values *values, plumb_value process);
/* Would it be one if its number were smaller? Such as "~n18446744073709551616". */
bool jepsen_is_too_large(const struct plumb_values *values, plumb_value process);

/* Adds the operations to the history. */
bool jepsen_finish(struct jepsen *j);
void jepsen_free(struct jepsen *j);

/* The event without anything in it. */
struct jepsen_event jepsen_blank_event(void);

/* Readers of one form each, and what writes them all. *cut: a sentence the caller frees when the file ends in
 * the middle of its last event, which is left out; else it is left as it is. */
bool edn_read(struct history *h, const char *bytes, size_t length, const struct format_options *o, char **cut,
              struct diagnostic *d);
bool log_read(struct history *h, const char *bytes, size_t length, const struct format_options *o,
              struct text *notes, char **cut, struct diagnostic *d);
bool jepsen_write(FILE *out, const struct history *h, enum format format, struct text *notes,
                  struct diagnostic *d);

#endif
