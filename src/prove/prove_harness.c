/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the harness (plumb.h): operations, set-up, roles. */
#include "prove/prove_harness.h"

#include "harness/role_words.h"
#include "spec/holding.h"
#include "spec/registry.h"
#include "spec/roles.h"
#include "spec/spec_user.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct prove_operation prove_operations[PROVE_OPERATIONS_MAX];
unsigned prove_operation_count;
struct prove_harness prove_harness;

static VEC(const struct plumb_part *) parts;
static struct plumb_values *values;

#define EXPORT __attribute__((visibility("default")))

/* --- what plumb.h calls ------------------------------------------------------------------------------------------- */

EXPORT void plumb_register(const struct plumb_part *part)
{
    vec_push(&parts, part);
}

/* Values of the program are only ever looked at by the search, which is done with them before the next step. */
struct plumb_values *prove_values(void)
{
    if (!values)
        values = plumb_values_create();
    return values;
}

EXPORT plumb_value plumb_result_wide(int64_t i)
{
    return plumb_int(prove_values(), i);
}

EXPORT plumb_value plumb_result_string(const char *s)
{
    return s ? plumb_string(prove_values(), s, strlen(s)) : PLUMB_NONE;
}

EXPORT plumb_value plumb_result_array(const plumb_value *items, size_t count)
{
    return plumb_array(prove_values(), items, count);
}

EXPORT unsigned plumb_thread(void)
{
    return prove_self ? 1 + (unsigned)((struct prove_thread *)prove_self - prove.state.threads) : 0;
}

/* Refused by name when an operation calls them (prove_program.c). */
EXPORT unsigned plumb_choose(unsigned ways)
{
    (void)ways;
    return 0;
}

EXPORT void plumb_assume(bool holds)
{
    (void)holds;
}

/* --- mistakes ------------------------------------------------------------------------------------------------------- */

_Noreturn void prove_end(enum prove_phase phase)
{
    struct prove_shared *s = prove.shared;
    struct sign_off_part result[PROVE_SIGNED_PARTS];
    s->phase = phase;
    prove_signed_parts(s, &prove.answer, result);
    sign_off_sign(&s->sign_off, result, PROVE_SIGNED_PARTS);
    _exit(0);
}

static _Noreturn void end_refused(const struct plumb_part *part, const char *format, va_list list)
{
    struct prove_shared *s = prove.shared;
    if (!s)
        _exit(2);
    vsnprintf(s->message, sizeof s->message, format, list);
    if (part) {
        snprintf(s->file, sizeof s->file, "%s", part->file);
        s->line = part->line;
    }
    prove_end(PROVE_REFUSED);
}

_Noreturn void prove_refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    end_refused(NULL, format, list);
}

static _Noreturn void refuse_at(const struct plumb_part *part, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static _Noreturn void refuse_at(const struct plumb_part *part, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    end_refused(part, format, list);
}

/* --- the specification ------------------------------------------------------------------------------------------------ */

static const struct plumb_part *find_part(enum plumb_part_kind kind)
{
    for (size_t i = 0; i < parts.len; i++)
        if (parts.data[i]->kind == kind)
            return parts.data[i];
    return NULL;
}

static void check_parts(void)
{
    unsigned objects = 0;
    for (size_t i = 0; i < parts.len; i++) {
        objects += parts.data[i]->kind == PLUMB_PART_OBJECT;
        if (*parts.data[i]->object)
            refuse_at(parts.data[i],
                      "a harness with several objects cannot be proved as a whole: keep one of them");
    }
    if (objects > 1)
        refuse_at(find_part(PLUMB_PART_OBJECT), "a harness of several files with an object each");
    if (!find_part(PLUMB_PART_OP))
        prove_refuse("the program has no operations: write them with PLUMB_OP of plumb.h");
}

/* The specification of the library counts, whatever the harness says: there is one object. */
static const char *load_library(const char *named)
{
    struct diagnostic d = {0};
    if (!spec_user_load(prove.shared->question.library, &d))
        prove_refuse("%s", d.message);
    return spec_added() ? spec_added()->name : named;
}

/* 0: it has none. */
static uint32_t capacity_of(const struct plumb_spec *spec)
{
    uint64_t capacity = 0;
    const struct plumb_spec *strong = spec_base_of_weak(spec);
    spec_base_of_bounded(strong ? strong : spec, &capacity);
    return (uint32_t)capacity;
}

/* A bound of the specification becomes one of the search's, which then knows the container below it. */
static void find_spec(void)
{
    const struct prove_question *q = &prove.shared->question;
    const struct plumb_part *object = find_part(PLUMB_PART_OBJECT);
    struct prove_harness *h = &prove_harness;
    const char *name = *q->spec ? q->spec : object ? object->text : "";
    if (*q->library)
        name = load_library(name);
    if (prove.shared->table.state_count) {
        h->spec = table_spec(&prove.shared->table);
        snprintf(prove.shared->spec, sizeof prove.shared->spec, "%s", h->spec->name);
        return;
    }
    prove.shared->wants_table = !*name;
    if (!*name)
        refuse_at(object, "which specification? PLUMB_OBJECT(queue) in the harness, or --spec queue");
    const struct plumb_spec *spec = spec_find(name);
    if (!spec)
        refuse_at(object, "%s", spec_find_complaint(name));
    h->spec = spec;
    h->capacity = q->capacity;
    uint64_t capacity;
    const struct plumb_spec *base = spec_base_of_bounded(spec, &capacity);
    if (base && !q->capacity) {
        h->spec = base;
        h->capacity = (uint32_t)capacity;
    }
    prove.shared->capacity = capacity_of(spec);
    snprintf(prove.shared->spec, sizeof prove.shared->spec, "%s", name);
}

static bool takes_items(const struct plumb_part *p)
{
    for (const char *type = p->types; *type; type++)
        if (!strchr("iIlL", *type))
            return false;
    return true;
}

/* Containers are given items that are all different; everything else, and what is given small numbers, a few values. */
static void choose_values(void)
{
    enum { USUAL = 2 };
    struct prove_harness *h = &prove_harness;
    h->free_values =
        prove.shared->table.state_count ? prove.shared->table.values : prove.shared->question.free_values;
    bool distinct = h->spec->kind == PLUMB_KIND_QUEUE || h->spec->kind == PLUMB_KIND_STACK;
    for (unsigned i = 0; i < prove_operation_count; i++)
        distinct &= takes_items(prove_operations[i].part) && prove_operations[i].argument_count <= 1;
    if (!h->free_values && !distinct)
        h->free_values = USUAL;
    h->is_wide = true;
    for (unsigned i = 0; i < prove_operation_count; i++)
        h->is_wide &= strspn(prove_operations[i].part->types, "lL") == prove_operations[i].argument_count;
    prove.shared->free_values = h->free_values;
}

/* --- operations ---------------------------------------------------------------------------------------------------------- */

/* How it changes the number of items inside, where that has no bound of its own. */
int prove_count_of(const struct plumb_operation *op)
{
    bool is_kept = op->role == PLUMB_ADDS && strchr(op->results ? op->results : "k", 'k');
    bool is_taken = op->role == PLUMB_REMOVES && op->results && strchr(op->results, 'N');
    return is_kept ? 1 : is_taken ? -1 : 0;
}

/* The checker's numbers have one for nothing, 0 and false: an operation has to answer in one way. */
static bool is_ambiguous(const char *results)
{
    bool nothing = strchr(results, 'N'), truth = strchr(results, 'b'), integer = strchr(results, 'i');
    return (nothing && (truth || integer)) || (truth && (integer || strchr(results, 'v')));
}

static void refuse_more(const struct plumb_part *p, unsigned most)
{
    if (prove_operation_count == most)
        refuse_at(p, "the harness has more than %u operations", most);
}

static void add_operation(const struct plumb_part *p)
{
    struct prove_harness *h = &prove_harness;
    uint32_t number = spec_operation(h->spec, p->name);
    if (number == UINT32_MAX)
        refuse_at(p, "the specification '%s' has no operation '%s'", h->spec->name, p->name);
    refuse_more(p, PROVE_OPERATIONS_MAX);
    prove.shared->takes_arguments |= *p->types;
    if (strchr(p->types, 's'))
        refuse_at(p, "operation '%s' takes a string: only numbers can be proved", p->name);
    if (h->spec->operations[number].results && is_ambiguous(h->spec->operations[number].results))
        refuse_at(p, "operation '%s' answers in ways that are not distinguished here ('%s')", p->name,
                  h->spec->operations[number].results);
    struct prove_operation *o = &prove_operations[prove_operation_count];
    *o = (struct prove_operation){.part = p, .spec_op = &h->spec->operations[number]};
    o->argument_count = (unsigned)strnlen(p->types, sizeof p->types);
    o->counts =
        prove.shared->table.state_count ? prove.shared->table.ops[number].counts : prove_count_of(o->spec_op);
    struct spec_holding holding = spec_holding_of(prove.shared->spec, p->name);
    if (holding.nests)
        refuse_at(p, "nested calls of a recursive lock are not examined here: name the specification without "
                     "'recursive'");
    o->holding = holding.hold == SPEC_TAKES ? 1 : holding.hold == SPEC_GIVES_UP ? -1 : 0;
    o->held = (uint8_t)(1u << holding.part % 8);
    o->roles = roles_of_operation(parts.data, parts.len, p);
    if (o->argument_count != strlen(o->spec_op->args ? o->spec_op->args : ""))
        refuse_at(p, "operation '%s' takes %u arguments, and %zu in the specification", p->name,
                  o->argument_count, strlen(o->spec_op->args));
    snprintf(prove.shared->operations[prove_operation_count++], PROVE_NAME, "%s", p->name);
}

bool prove_never_waits(void)
{
    return prove_harness.spec->kind != PLUMB_KIND_OTHER && !prove_harness.capacity;
}

/* Where it is small, so many that each addition may find it full: nothing is left out then. */
static void choose_inside(void)
{
    enum { USUAL = 3, SMALL_CAPACITY = 6 };
    struct prove_shared *s = prove.shared;
    bool is_small = s->capacity && s->capacity <= SMALL_CAPACITY;
    if (!s->question.inside)
        s->question.inside = is_small ? s->capacity + prove.threads : USUAL;
}

static bool has_counted(void)
{
    bool adds = false;
    for (unsigned i = 0; i < prove_operation_count; i++)
        adds |= prove_operations[i].counts > 0;
    return adds;
}

static void note_uncounted(void)
{
    for (unsigned i = 0; i < prove_operation_count; i++) {
        const struct plumb_operation *op = prove_operations[i].spec_op;
        if (!prove_operations[i].counts && !op->reads && op->role != PLUMB_LOOKS && op->role != PLUMB_READS)
            snprintf(prove.shared->uncounted, sizeof prove.shared->uncounted, "%s", op->name);
    }
}

static void add_serial_operation(const struct plumb_part *p)
{
    refuse_more(p, TABLE_OPS_MAX);
    if (strlen(p->types) > TABLE_ARGS_MAX || strchr(p->types, 's'))
        refuse_at(p, "serial runs are for operations with up to %d numbers as arguments", TABLE_ARGS_MAX);
    prove_operations[prove_operation_count++] =
        (struct prove_operation){.part = p, .argument_count = (unsigned)strlen(p->types)};
}

void prove_harness_open_serial(void)
{
    check_parts();
    choose_inside();
    for (size_t i = 0; i < parts.len; i++)
        if (parts.data[i]->kind == PLUMB_PART_OP)
            add_serial_operation(parts.data[i]);
}

void prove_harness_open(void)
{
    check_parts();
    find_spec();
    for (size_t i = 0; i < parts.len; i++)
        if (parts.data[i]->kind == PLUMB_PART_OP)
            prove_harness.spec = spec_with_operation(prove_harness.spec, parts.data[i]->name);
    for (size_t i = 0; i < parts.len; i++)
        if (parts.data[i]->kind == PLUMB_PART_OP)
            add_operation(parts.data[i]);
    prove.shared->operation_count = prove_operation_count;
    choose_values();
    choose_inside();
    prove.shared->counts_items = has_counted();
    note_uncounted();
    prove.shared->has_invariants = find_part(PLUMB_PART_INVARIANT) != NULL;
    prove_harness.single_roles = roles_for_one(parts.data, parts.len);
    for (size_t i = 0; i < parts.len; i++)
        prove_harness.role_count += role_is(parts.data[i]);
}

/* --- set-up ---------------------------------------------------------------------------------------------------------------- */

static enum prove_outcome run_parts(enum plumb_part_kind kind, unsigned thread)
{
    enum prove_outcome outcome = PROVE_FINE;
    for (size_t i = 0; i < parts.len && outcome == PROVE_FINE; i++)
        if (parts.data[i]->kind == kind)
            outcome = prove_run_whole(thread, parts.data[i]->run);
    return outcome;
}

static void begin_thread(unsigned thread)
{
    const struct prove_program *p = &prove.program;
    memset(prove.state.tls[thread], 0, PROVE_TLS_MAX);
    if (p->tls_size)
        memcpy(prove.state.tls[thread], p->tls_start, p->tls_start_size);
}

enum prove_outcome prove_harness_begin(void)
{
    begin_thread(0);
    enum prove_outcome outcome = run_parts(PLUMB_PART_SETUP, 0);
    for (unsigned t = 0; t < prove.threads && outcome == PROVE_FINE; t++) {
        begin_thread(t);
        outcome = run_parts(PLUMB_PART_THREAD_SETUP, t);
        prove.state.threads[t] = (struct prove_thread){0};
    }
    return outcome;
}
