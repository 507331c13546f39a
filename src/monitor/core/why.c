/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence under a counterexample. Minimal cores have few shapes; each known shape has its own words, and
 * everything else is told by the best attempt and where it fails. */

#include "history/value_text.h"
#include "monitor/container/container.h"
#include "monitor/core/core.h"
#include "spec/registry.h"

#include <string.h>

struct story {
    const struct part *p;
    struct text t;
    uint32_t guilty;
};

/* ------------------------------------------------------------------ words */

static const char *op_name(const struct story *s, uint32_t i)
{
    return s->p->spec->operations[part_op(s->p, i)->op].name;
}

static void say_op(struct story *s, uint32_t i)
{
    bool several = strlen(s->p->spec->operations[part_op(s->p, i)->op].args) > 1;
    value_print_op(&s->t, s->p->history->values, op_name(s, i), several, part_op(s->p, i));
}

static void say_value(struct story *s, plumb_value v)
{
    value_print_short(&s->t, s->p->history->values, v);
}

static void say_thread(struct story *s, uint32_t i)
{
    text_puts(&s->t, "thread ");
    say_value(s, s->p->history->thread_names.data[part_op(s->p, i)->thread]);
}

static bool precedes(const struct story *s, uint32_t a, uint32_t b)
{
    return s->p->order.ret[a] < s->p->order.call[b];
}

/* ------------------------------------------------------------------ containers, value by value */

enum { FEW = 8 };

/* A small container core: its values with their operations. */
struct cast {
    plumb_value value[FEW];
    uint32_t add[FEW], rem[FEW], rem2[FEW], peek[FEW];
    uint32_t values, empty; /* empty: the operation that answered so, or NO_OP */
    bool fits;
};

static uint32_t cast_value(struct cast *c, plumb_value v)
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

static void cast_op(struct cast *c, const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    enum container_role role = container_role_of(p->spec, op->op);
    if (role != ROLE_ADD && (p->order.ret[i] == ORDER_NEVER || op->result == PLUMB_ANY)) {
        c->fits = false;
    } else if (role == ROLE_ADD) {
        uint32_t k = cast_value(c, container_added_value(p, i));
        c->fits &= c->add[k] == NO_OP;
        c->add[k] = i;
    } else if (op->result == PLUMB_NONE) {
        c->fits &= c->empty == NO_OP;
        c->empty = i;
    } else {
        uint32_t k = cast_value(c, op->result);
        if (role == ROLE_PEEK)
            c->peek[k] = i;
        else if (c->rem[k] == NO_OP)
            c->rem[k] = i;
        else
            c->rem2[k] = i;
    }
}

static struct cast read_cast(const struct part *p)
{
    struct cast c = {.empty = NO_OP, .fits = true};
    for (uint32_t i = 0; i < p->order.count && c.fits; i++)
        cast_op(&c, p, i);
    return c;
}

/* Is the same added at another time, too? The core is about one of those times then. */
static bool is_added_again(const struct part *p, uint32_t add)
{
    const struct history *h = p->history;
    uint32_t own = part_history_index(p, add);
    for (uint32_t i = 0; i < h->ops.len; i++)
        if (i != own && h->ops.data[i].op == h->ops.data[own].op &&
            h->ops.data[i].arg == h->ops.data[own].arg &&
            history_object_of(h, i) == history_object_of(h, own))
            return true;
    return false;
}

/* A value on its own: twice removed, never added, seen too early or too late. */
static bool tell_single_value(struct story *s, const struct cast *c)
{
    if (c->values != 1 || c->empty != NO_OP)
        return false;
    uint32_t seen = c->rem[0] != NO_OP ? c->rem[0] : c->peek[0];
    if (seen == NO_OP)
        return false;
    s->guilty = seen;
    if (c->add[0] == NO_OP) {
        say_op(s, seen);
        text_puts(&s->t, " returned a value that was never added.");
    } else if (c->rem2[0] != NO_OP) {
        s->guilty = c->rem2[0];
        say_op(s, c->add[0]);
        text_puts(&s->t, is_added_again(s->p, c->add[0]) ? " added just one, yet " : " happened once, yet ");
        say_value(s, c->value[0]);
        bool one_thread = part_op(s->p, c->rem[0])->thread == part_op(s->p, c->rem2[0])->thread;
        text_puts(&s->t, one_thread ? " was removed twice, both times by " : " was removed twice: by ");
        say_thread(s, c->rem[0]);
        if (!one_thread) {
            text_puts(&s->t, " and by ");
            say_thread(s, c->rem2[0]);
        }
        text_puts(&s->t, ".");
    } else if (precedes(s, seen, c->add[0])) {
        say_op(s, seen);
        text_puts(&s->t, " had returned before ");
        say_op(s, c->add[0]);
        text_puts(&s->t, " was even called.");
    } else if (c->peek[0] != NO_OP && c->rem[0] != NO_OP && precedes(s, c->rem[0], c->peek[0])) {
        s->guilty = c->peek[0];
        say_op(s, c->peek[0]);
        text_puts(&s->t, " was called after ");
        say_op(s, c->rem[0]);
        text_puts(&s->t, " had taken that value out.");
    } else {
        return false;
    }
    return true;
}

static void say_list(struct story *s, const struct cast *c, uint32_t from)
{
    for (uint32_t k = from; k < c->values; k++) {
        if (k > from)
            text_puts(&s->t, k + 1 == c->values ? " and " : ", ");
        say_value(s, c->value[k]);
    }
}

static bool tell_empty(struct story *s, const struct cast *c)
{
    if (c->empty == NO_OP || c->values == 0)
        return false;
    s->guilty = c->empty;
    say_op(s, c->empty);
    if (c->values == 1) {
        text_puts(&s->t, ", yet ");
        say_value(s, c->value[0]);
        text_puts(&s->t, " was inside during the whole call.");
    } else {
        text_puts(&s->t, ", yet at every moment of the call something was inside: ");
        say_list(s, c, 0);
        text_puts(&s->t, " in turn.");
    }
    return true;
}

/* enq(v) before enq(w), and w out while v is in. */
static bool tell_queue_pair(struct story *s, const struct cast *c, uint32_t v, uint32_t w)
{
    if (c->add[v] == NO_OP || c->add[w] == NO_OP || !precedes(s, c->add[v], c->add[w]))
        return false;
    uint32_t out = c->rem[w] != NO_OP ? c->rem[w] : c->peek[w];
    uint32_t still = c->rem[v] != NO_OP ? c->rem[v] : c->peek[v];
    if (out == NO_OP)
        return false;
    s->guilty = out;
    say_op(s, c->add[v]);
    text_puts(&s->t, " returned before ");
    say_op(s, c->add[w]);
    text_printf(&s->t, " was called, yet %s returned ", op_name(s, out));
    say_value(s, c->value[w]);
    if (still == NO_OP || precedes(s, out, still))
        text_puts(&s->t, " first while ");
    else
        text_puts(&s->t, " while ");
    say_value(s, c->value[v]);
    text_puts(&s->t, " was still inside.");
    return true;
}

/* push(v) before push(w) before pop -> v, which returned before w was popped. */
static bool tell_stack_pair(struct story *s, const struct cast *c, uint32_t v, uint32_t w)
{
    uint32_t out = c->rem[v] != NO_OP ? c->rem[v] : c->peek[v];
    if (c->add[v] == NO_OP || c->add[w] == NO_OP || out == NO_OP || !precedes(s, c->add[v], c->add[w]) ||
        !precedes(s, c->add[w], out) || (c->rem[w] != NO_OP && !precedes(s, out, c->rem[w])))
        return false;
    s->guilty = out;
    say_op(s, c->add[w]);
    text_puts(&s->t, " went on top of ");
    say_value(s, c->value[v]);
    text_printf(&s->t, " and returned before that %s was called, yet %s returned ", op_name(s, out),
                op_name(s, out));
    say_value(s, c->value[v]);
    text_puts(&s->t, " while ");
    say_value(s, c->value[w]);
    text_puts(&s->t, " was still above it.");
    return true;
}

/* The value that came out although something more urgent was inside all the time. */
static bool tell_pqueue(struct story *s, const struct cast *c)
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
        say_op(s, out);
        text_puts(&s->t, ", yet the more urgent ");
        say_value(s, c->value[1 - k]);
        text_puts(&s->t, " was inside during the whole call.");
        return true;
    }
    return false;
}

/* More than two values that cannot all lie on each other (each two of them could). */
static bool tell_stack_chain(struct story *s)
{
    uint32_t values = 0, first = NO_OP;
    for (uint32_t i = 0; i < s->p->order.count; i++) {
        const struct history_op *op = part_op(s->p, i);
        enum container_role role = container_role_of(s->p->spec, op->op);
        if (s->p->order.ret[i] == ORDER_NEVER || role == ROLE_PEEK || op->result == PLUMB_NONE ||
            op->result == PLUMB_ANY)
            return false;
        values += role == ROLE_ADD;
        if (role == ROLE_REMOVE && (first == NO_OP || s->p->order.ret[i] < s->p->order.ret[first]))
            first = i;
    }
    if (values < 3 || first == NO_OP)
        return false;
    s->guilty = first;
    text_printf(
        &s->t,
        "Whichever of these %u values lay at the bottom, it was popped while another one was certainly "
        "still above it, or pushed when another one was certainly there already.",
        values);
    return true;
}

/* One value, more often removed than added: only for what the shapes below do not say better. */
static bool tell_shortage(struct story *s)
{
    struct shortage found = {0};
    if (s->p->order.count <= 3 || !shortage_find(s->p, &found))
        return false;
    s->guilty = found.removal;
    say_op(s, found.removal);
    text_printf(
        &s->t,
        " is number %u that answered so, and only %u addition%s of that value had been called by then.",
        found.removed, found.added, found.added == 1 ? "" : "s");
    return true;
}

static bool tell_container(struct story *s)
{
    struct cast c = read_cast(s->p);
    if (tell_shortage(s))
        return true;
    enum plumb_kind kind = s->p->spec->kind;
    if (kind == PLUMB_KIND_STACK && tell_stack_chain(s))
        return true;
    if (!c.fits)
        return false;
    if (tell_single_value(s, &c) || tell_empty(s, &c))
        return true;
    if (kind == PLUMB_KIND_PQUEUE)
        return tell_pqueue(s, &c);
    if (c.values != 2)
        return false;
    if (kind == PLUMB_KIND_QUEUE)
        return tell_queue_pair(s, &c, 0, 1) || tell_queue_pair(s, &c, 1, 0);
    if (kind == PLUMB_KIND_STACK)
        return tell_stack_pair(s, &c, 0, 1) || tell_stack_pair(s, &c, 1, 0);
    return false;
}

/* ------------------------------------------------------------------ registers */

static bool is_initial(const struct story *s, uint32_t read)
{
    struct plumb_call call = part_call(s->p, read);
    void *state = spec_init(s->p->spec, s->p->options);
    bool possible = s->p->spec->step(state, &call, 0, NULL);
    s->p->spec->destroy(state);
    return possible;
}

/* One read, and at most two writes: never written, too early, or overwritten. */
static bool tell_register(struct story *s)
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
        say_op(s, read);
        text_puts(&s->t, ", which is neither the initial value nor ever written.");
        return true;
    }
    if (other == NO_OP && precedes(s, read, source)) {
        say_op(s, read);
        text_puts(&s->t, " had returned before ");
        say_op(s, source);
        text_puts(&s->t, " was even called.");
        return true;
    }
    if (other == NO_OP || !precedes(s, other, read) || (source != NO_OP && !precedes(s, source, other)))
        return false;
    if (source != NO_OP) {
        say_op(s, source);
        text_puts(&s->t, " returned before ");
        say_op(s, other);
        text_puts(&s->t, " was called, and that returned before ");
    } else {
        say_op(s, other);
        text_puts(&s->t, " returned before ");
    }
    say_op(s, read);
    text_puts(&s->t, source != NO_OP ? " was called: an overwritten value."
                                     : " was called, which still saw the initial value.");
    return true;
}

/* ------------------------------------------------------------------ everything else */

static void tell_attempt(struct story *s, uint32_t stuck, const char *stuck_why)
{
    if (stuck == UINT32_MAX) {
        text_puts(&s->t, "No order of these operations agrees with all their answers.");
        return;
    }
    s->guilty = stuck;
    text_puts(&s->t,
              "No order of these operations agrees with all their answers; the longest one ends before ");
    say_op(s, stuck);
    text_printf(&s->t, ": %s.", stuck_why);
}

char *why_sentence(const struct part *core, bool later_start, uint32_t stuck, const char *stuck_why,
                   uint32_t *guilty)
{
    struct story s = {.p = core, .guilty = *guilty};
    bool told = false;
    if (!later_start && spec_is_container(core->spec))
        told = tell_container(&s);
    else if (!later_start && spec_is_register(core->spec))
        told = tell_register(&s);
    if (!told) {
        text_clear(&s.t);
        s.guilty = *guilty;
        tell_attempt(&s, stuck, stuck_why);
    }
    *guilty = s.guilty;
    return text_take(&s.t);
}
