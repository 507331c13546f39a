/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence under a counterexample. Minimal cores have few shapes; each known shape has its own words, and
 * everything else is explained by the answers that were possible (why_answers.c), or by the best attempt and where it fails. */

#include "history/value_text.h"
#include "monitor/container/container.h"
#include "monitor/core/core.h"
#include "spec/registry.h"

#include <stdarg.h>
#include <string.h>

/* A sentence that is being written, and the operation it blames. */
struct sentence {
    const struct part *p;
    struct text t;
    uint32_t guilty;
};

static void say_op(struct text *t, const struct part *p, uint32_t i)
{
    const struct plumb_operation *o = &p->spec->operations[part_op(p, i)->op];
    value_print_op(t, p->history->values, o->name, strlen(o->args) > 1, part_op(p, i));
}

void why_print(struct text *t, const struct part *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *c = format; *c; c++) {
        if (*c != '%') {
            text_add(t, c, 1);
            continue;
        }
        switch (*++c) {
        case 'o': say_op(t, p, va_arg(args, uint32_t)); break;
        case 'v': value_print_short(t, p->history->values, va_arg(args, plumb_value)); break;
        case 'u': text_printf(t, "%u", va_arg(args, uint32_t)); break;
        default: text_puts(t, va_arg(args, const char *));
        }
    }
    va_end(args);
}

#define SAY(s, ...) why_print(&(s)->t, (s)->p, __VA_ARGS__)

static const char *op_name(const struct sentence *s, uint32_t i)
{
    return s->p->spec->operations[part_op(s->p, i)->op].name;
}

static plumb_value thread_of(const struct sentence *s, uint32_t i)
{
    return s->p->history->thread_names.data[part_op(s->p, i)->thread];
}

static bool precedes(const struct sentence *s, uint32_t a, uint32_t b)
{
    return s->p->order.ret[a] < s->p->order.call[b];
}

/* ------------------------------------------------------------------ containers, value by value */

enum { FEW = 8 };

/* A small container core: its values with their operations. */
struct roles {
    plumb_value value[FEW];
    uint32_t add[FEW], rem[FEW], rem2[FEW], peek[FEW];
    uint32_t values, empty; /* empty: the operation that answered so, or NO_OP */
    bool fits;
};

static uint32_t roles_of_value(struct roles *c, plumb_value v)
{
    for (uint32_t k = 0; k < c->values; k++)
        if (c->value[k] == v)
            return k;
    if (c->values == FEW) {
        c->fits = false;
        return 0;
    }
    uint32_t k = c->values++;
    c->value[k] = v;
    c->add[k] = c->rem[k] = c->rem2[k] = c->peek[k] = NO_OP;
    return k;
}

static void add_role(struct roles *c, const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    enum plumb_role role = p->spec->operations[op->op].role;
    if (role != PLUMB_ADDS && (p->order.ret[i] == ORDER_NEVER || op->result == PLUMB_ANY)) {
        c->fits = false;
    } else if (role == PLUMB_ADDS) {
        uint32_t k = roles_of_value(c, container_added_value(p, i));
        c->fits &= c->add[k] == NO_OP;
        c->add[k] = i;
    } else if (op->result == PLUMB_NONE) {
        c->fits &= c->empty == NO_OP;
        c->empty = i;
    } else {
        uint32_t k = roles_of_value(c, op->result);
        if (role == PLUMB_LOOKS)
            c->peek[k] = i;
        else if (c->rem[k] == NO_OP)
            c->rem[k] = i;
        else
            c->rem2[k] = i;
    }
}

static struct roles read_roles(const struct part *p)
{
    struct roles c = {.empty = NO_OP, .fits = true};
    for (uint32_t i = 0; i < p->order.count && c.fits; i++)
        add_role(&c, p, i);
    return c;
}

/* Is the same added at another time, too? The core is about one of those times then. */
static bool is_added_again(const struct part *p, uint32_t add)
{
    const struct history *h = p->history;
    uint32_t own = part_history_index(p, add);
    for (uint32_t i = 0; i < h->ops.len; i++)
        if (i != own && history_get(h, i).op == history_get(h, own).op &&
            history_get(h, i).arg == history_get(h, own).arg &&
            history_object_of(h, i) == history_object_of(h, own))
            return true;
    return false;
}

/* A value on its own: twice removed, never added, seen too early or too late. */
static bool explain_single_value(struct sentence *s, const struct roles *c)
{
    uint32_t add = c->add[0], rem = c->rem[0], rem2 = c->rem2[0], peek = c->peek[0];
    uint32_t seen = rem != NO_OP ? rem : peek;
    if (c->values != 1 || c->empty != NO_OP || seen == NO_OP)
        return false;
    s->guilty = seen;
    if (add == NO_OP) {
        SAY(s, "%o returned a value that was never added.", seen);
    } else if (rem2 != NO_OP) {
        plumb_value first = thread_of(s, rem), second = thread_of(s, rem2);
        s->guilty = rem2;
        SAY(s, "%o %s, yet %v was removed twice", add,
            is_added_again(s->p, add) ? "added just one" : "happened once", c->value[0]);
        if (first == second)
            SAY(s, ", both times by thread %v.", first);
        else
            SAY(s, ": by thread %v and by thread %v.", first, second);
    } else if (precedes(s, seen, add)) {
        SAY(s, "%o had returned before %o was even called.", seen, add);
    } else if (peek != NO_OP && rem != NO_OP && precedes(s, rem, peek)) {
        s->guilty = peek;
        SAY(s, "%o was called after %o had taken that value out.", peek, rem);
    } else {
        return false;
    }
    return true;
}

static bool explain_empty(struct sentence *s, const struct roles *c)
{
    if (c->empty == NO_OP || c->values == 0)
        return false;
    s->guilty = c->empty;
    if (c->values == 1) {
        SAY(s, "%o, yet %v was inside during the whole call.", c->empty, c->value[0]);
        return true;
    }
    SAY(s, "%o, yet at every moment of the call something was inside: ", c->empty);
    for (uint32_t k = 0; k < c->values; k++)
        SAY(s, "%s%v", k == 0 ? "" : k + 1 == c->values ? " and " : ", ", c->value[k]);
    SAY(s, " in turn.");
    return true;
}

/* enq(v) before enq(w), and w out while v is in. */
static bool explain_queue_pair(struct sentence *s, const struct roles *c, uint32_t v, uint32_t w)
{
    uint32_t out = c->rem[w] != NO_OP ? c->rem[w] : c->peek[w];
    uint32_t still = c->rem[v] != NO_OP ? c->rem[v] : c->peek[v];
    if (c->add[v] == NO_OP || c->add[w] == NO_OP || !precedes(s, c->add[v], c->add[w]) || out == NO_OP)
        return false;
    s->guilty = out;
    SAY(s, "%o returned before %o was called, yet %s returned %v%s while %v was still inside.", c->add[v],
        c->add[w], op_name(s, out), c->value[w], still == NO_OP || precedes(s, out, still) ? " first" : "",
        c->value[v]);
    return true;
}

/* push(v) before push(w) before pop -> v, which returned before w was popped. */
static bool explain_stack_pair(struct sentence *s, const struct roles *c, uint32_t v, uint32_t w)
{
    uint32_t out = c->rem[v] != NO_OP ? c->rem[v] : c->peek[v];
    if (c->add[v] == NO_OP || c->add[w] == NO_OP || out == NO_OP || !precedes(s, c->add[v], c->add[w]) ||
        !precedes(s, c->add[w], out) || (c->rem[w] != NO_OP && !precedes(s, out, c->rem[w])))
        return false;
    s->guilty = out;
    SAY(s,
        "%o went on top of %v and returned before that %s was called, yet %s returned %v while %v was still "
        "above it.",
        c->add[w], c->value[v], op_name(s, out), op_name(s, out), c->value[v], c->value[w]);
    return true;
}

/* The value that came out although something more urgent was inside all the time. */
static bool explain_pqueue(struct sentence *s, const struct roles *c)
{
    for (uint32_t k = 0; k < c->values; k++) {
        uint32_t out = c->rem[k] != NO_OP ? c->rem[k] : c->peek[k];
        bool all_inside = out != NO_OP && c->values > 1;
        for (uint32_t j = 0; j < c->values && all_inside; j++)
            if (j != k)
                all_inside = c->values > 2 || (c->add[j] != NO_OP && precedes(s, c->add[j], out) &&
                                               (c->rem[j] == NO_OP || precedes(s, out, c->rem[j])));
        if (!all_inside || c->values > 2)
            continue;
        s->guilty = out;
        SAY(s, "%o, yet the more urgent %v was inside during the whole call.", out, c->value[1 - k]);
        return true;
    }
    return false;
}

/* More than two values that cannot all lie on each other (each two of them could). */
static bool explain_stack_chain(struct sentence *s)
{
    uint32_t values = 0, first = NO_OP;
    for (uint32_t i = 0; i < s->p->order.count; i++) {
        const struct history_op *op = part_op(s->p, i);
        enum plumb_role role = s->p->spec->operations[op->op].role;
        if (s->p->order.ret[i] == ORDER_NEVER || role == PLUMB_LOOKS || op->result == PLUMB_NONE ||
            op->result == PLUMB_ANY)
            return false;
        values += role == PLUMB_ADDS;
        if (role == PLUMB_REMOVES && (first == NO_OP || s->p->order.ret[i] < s->p->order.ret[first]))
            first = i;
    }
    if (values < 3 || first == NO_OP)
        return false;
    s->guilty = first;
    SAY(s,
        "Whichever of these %u values lay at the bottom, it was popped while another one was certainly still "
        "above it, or pushed when another one was certainly there already.",
        values);
    return true;
}

/* One value, more often removed than added: only for what the shapes below do not say better. */
static bool explain_shortage(struct sentence *s)
{
    struct shortage found = {0};
    if (s->p->order.count <= 3 || !shortage_find(s->p, &found))
        return false;
    s->guilty = found.removal;
    SAY(s, "%o is number %u that answered so, and only %u addition%s of that value had been called by then.",
        found.removal, found.removed, found.added, found.added == 1 ? "" : "s");
    return true;
}

static bool explain_container(struct sentence *s)
{
    struct roles c = read_roles(s->p);
    if (explain_shortage(s))
        return true;
    enum plumb_kind kind = s->p->spec->kind;
    if (kind == PLUMB_KIND_STACK && explain_stack_chain(s))
        return true;
    if (!c.fits)
        return false;
    if (explain_single_value(s, &c) || explain_empty(s, &c))
        return true;
    if (kind == PLUMB_KIND_PQUEUE)
        return explain_pqueue(s, &c);
    if (c.values != 2)
        return false;
    if (kind == PLUMB_KIND_QUEUE)
        return explain_queue_pair(s, &c, 0, 1) || explain_queue_pair(s, &c, 1, 0);
    if (kind == PLUMB_KIND_STACK)
        return explain_stack_pair(s, &c, 0, 1) || explain_stack_pair(s, &c, 1, 0);
    return false;
}

/* ------------------------------------------------------------------ registers */

static bool is_initial(const struct sentence *s, uint32_t read)
{
    struct plumb_call call = part_call(s->p, read);
    void *state = spec_init(s->p->spec, s->p->options);
    bool possible = s->p->spec->step(state, &call, 0, NULL);
    s->p->spec->destroy(state);
    return possible;
}

/* One read, and at most two writes: never written, too early, or overwritten. */
static bool explain_register(struct sentence *s)
{
    uint32_t read = NO_OP, source = NO_OP, other = NO_OP;
    for (uint32_t i = 0; i < s->p->order.count; i++) {
        enum plumb_role role = s->p->spec->operations[part_op(s->p, i)->op].role;
        if (role == PLUMB_READS) {
            if (read != NO_OP)
                return false;
            read = i;
        } else if (role != PLUMB_WRITES) {
            return false;
        }
    }
    if (read == NO_OP || s->p->order.count > 3)
        return false;
    for (uint32_t i = 0; i < s->p->order.count; i++)
        if (i != read && part_payload(s->p, i) == part_op(s->p, read)->result)
            source = i;
        else if (i != read)
            other = i;
    s->guilty = read;
    if (source == NO_OP && !is_initial(s, read)) {
        if (other != NO_OP)
            return false; /* deleting `other` leaves the same violation: not minimal */
        bool keyed = s->p->spec->kind == PLUMB_KIND_MAP || s->p->spec->kind == PLUMB_KIND_KV;
        SAY(s,
            keyed ? "%o, a value that the key never had."
                  : "%o, which is neither the initial value nor ever written.",
            read);
        return true;
    }
    if (other == NO_OP && precedes(s, read, source)) {
        SAY(s, "%o had returned before %o was even called.", read, source);
        return true;
    }
    if (other == NO_OP || !precedes(s, other, read) || (source != NO_OP && !precedes(s, source, other)))
        return false;
    if (source != NO_OP)
        SAY(s,
            "%o returned before %o was called, and that returned before %o was called: an overwritten value.",
            source, other, read);
    else
        SAY(s, "%o returned before %o was called, which still saw the initial value.", other, read);
    return true;
}

/* ------------------------------------------------------------------ everything else */

static void explain_attempt(struct sentence *s, uint32_t stuck, const char *stuck_why)
{
    SAY(s, "No order of these operations agrees with all their answers");
    if (stuck == UINT32_MAX) {
        SAY(s, ".");
        return;
    }
    s->guilty = stuck;
    SAY(s, "; the longest one ends before %o: %s.", stuck, stuck_why);
}

static bool explain_answers(struct sentence *s, const void *initial, const struct monitor_violation *v,
                            uint32_t stuck)
{
    text_clear(&s->t);
    if (stuck == UINT32_MAX || !why_answers(&s->t, s->p, initial, v, stuck))
        return false;
    s->guilty = stuck;
    return true;
}

char *why_sentence(const struct part *core, const void *initial, const struct monitor_violation *v,
                   uint32_t stuck, uint32_t *guilty)
{
    struct sentence s = {.p = core, .guilty = *guilty};
    bool later_start = initial || core->spec->init_of, explained = false;
    if (!later_start && spec_is_container(core->spec))
        explained = explain_container(&s);
    else if (!later_start && spec_is_register(core->spec))
        explained = explain_register(&s);
    else if (!later_start)
        explained = why_reads(&s.t, core, &s.guilty);
    if (!explained && !explain_answers(&s, initial, v, stuck)) {
        text_clear(&s.t);
        s.guilty = *guilty;
        explain_attempt(&s, stuck, v->stuck_why);
    }
    *guilty = s.guilty;
    return text_take(&s.t);
}
