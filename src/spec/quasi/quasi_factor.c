/* SPDX-License-Identifier: Apache-2.0 */
/* Quasi factors as text. */

#include "base/memory.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "spec/quasi/spec_quasi.h"

#include <ctype.h>
#include <string.h>

/* --- which operations add, which take away ------------------------------------------------------------ */

/* Specifications of the user need not say. */
static bool removes(const struct plumb_operation *o)
{
    if (o->role != PLUMB_NO_ROLE)
        return o->role == PLUMB_REMOVES;
    return !o->reads && !o->args[0] && strchr(o->results, 'N');
}

static enum plumb_role role_by_name(const char *name)
{
    enum plumb_role role = PLUMB_NO_ROLE;
    for (unsigned i = 0; i < spec_count && role == PLUMB_NO_ROLE; i++) {
        uint32_t op = spec_operation(spec_all[i], name);
        if (op != UINT32_MAX)
            role = spec_quasi_role(spec_all[i], op);
    }
    return role;
}

enum plumb_role spec_quasi_role(const struct plumb_spec *spec, uint32_t op)
{
    const struct plumb_operation *o = &spec->operations[op];
    if (spec->kind == PLUMB_KIND_DERIVED)
        return role_by_name(o->name);
    if (removes(o))
        return PLUMB_REMOVES;
    bool adds = false;
    for (uint32_t i = 0; i < spec->operation_count; i++)
        adds |= removes(&spec->operations[i]);
    return adds && !o->reads && o->args[0] ? PLUMB_ADDS : PLUMB_NO_ROLE;
}

/* --- reading --------------------------------------------------------------------------------------------- */

struct word {
    const char *text;
    size_t length;
};

static struct word take_word(const char **at)
{
    struct word w = {*at, strcspn(*at, "+/=, ")};
    *at += w.length;
    return w;
}

static bool word_is(struct word w, const char *text)
{
    return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static bool take(const char **at, char c)
{
    if (**at != c)
        return false;
    ++*at;
    return true;
}

static bool take_number(const char **at, uint32_t *number)
{
    *number = 0;
    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); ++*at)
        if (*number <= QUASI_FACTOR_MOST)
            *number = *number * 10 + (uint32_t)(**at - '0');
    return true;
}

static uint32_t find_operation(const struct plumb_spec *spec, struct word name)
{
    for (uint32_t i = 0; i < spec->operation_count; i++)
        if (word_is(name, spec->operations[i].name))
            return i;
    return UINT32_MAX;
}

static void read_number(struct quasi_factor *f, const char *text, const struct plumb_spec *spec)
{
    uint32_t most;
    take_number(&text, &most);
    for (uint32_t i = 0; i < spec->operation_count && f->classes < QUASI_CLASSES; i++)
        if (spec_quasi_role(spec, i) == PLUMB_REMOVES) {
            f->class_of[i][0] = (uint8_t)f->classes;
            f->most[f->classes++] = most;
        }
}

static void read_member(struct quasi_factor *f, const char **text, const struct plumb_spec *spec)
{
    struct word name = take_word(text);
    bool empty = take(text, '/');
    if (empty)
        take_word(text);
    f->whole |= word_is(name, "all");
    for (uint32_t i = 0; f->whole && i < spec->operation_count; i++)
        f->class_of[i][0] = f->class_of[i][1] = (uint8_t)f->classes;
    uint32_t op = find_operation(spec, name);
    if (op != UINT32_MAX)
        f->class_of[op][empty] = (uint8_t)f->classes;
}

void quasi_factor_read(struct quasi_factor *f, const char *text, const struct plumb_spec *spec)
{
    *f = (struct quasi_factor){.class_of = base_alloc(spec->operation_count * sizeof *f->class_of + 1)};
    memset(f->class_of, QUASI_NO_CLASS, spec->operation_count * sizeof *f->class_of);
    if (isdigit((unsigned char)*text)) {
        read_number(f, text, spec);
        return;
    }
    do {
        do
            read_member(f, &text, spec);
        while (take(&text, '+'));
        take(&text, '=');
        take_number(&text, &f->most[f->classes++]);
    } while (take(&text, ','));
}

/* --- checking ---------------------------------------------------------------------------------------------- */

struct checking {
    const char *start, *at;
    const struct plumb_spec *const *specs;
    uint32_t count;
    struct word seen[2 * QUASI_CLASSES]; /* members, with "/empty" */
    uint32_t seen_count, classes;
    struct diagnostic *d;
};

static bool wrong(const struct checking *c, const char *what)
{
    return diagnostic_set(c->d, PL_USAGE, 0, (uint64_t)(c->at - c->start) + 1,
                          "the quasi factor '%.60s': %s; it is a number, or like deq=2,enq=1", c->start,
                          what);
}

static bool is_known(const struct checking *c, struct word name, bool empty)
{
    if (!c->count)
        return true;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t op = find_operation(c->specs[i], name);
        if (op != UINT32_MAX && (!empty || strpbrk(c->specs[i]->operations[op].results, "Nv")))
            return true;
    }
    return false;
}

static bool check_member(struct checking *c)
{
    struct word member = {c->at, 0}, name = take_word(&c->at);
    bool empty = take(&c->at, '/');
    if (empty && !word_is(take_word(&c->at), "empty"))
        return wrong(c, "only 'empty' can follow a '/'");
    member.length = (size_t)(c->at - member.text);
    if (!name.length)
        return wrong(c, "an operation is missing");
    if (word_is(name, "all"))
        return c->seen_count || empty || *c->at == '+' ? wrong(c, "'all' leaves no other classes") : true;
    if (!is_known(c, name, empty))
        return diagnostic_set(c->d, PL_USAGE, 0, (uint64_t)(member.text - c->start) + 1,
                              "the quasi factor '%.60s' names '%.*s', which is not an operation%s", c->start,
                              (int)(member.length < 40 ? member.length : 40), member.text,
                              empty ? " that answers empty" : " of the specification");
    for (uint32_t i = 0; i < c->seen_count; i++)
        if (c->seen[i].length == member.length && !memcmp(c->seen[i].text, member.text, member.length))
            return wrong(c, "an operation is in two classes");
    if (c->seen_count == sizeof c->seen / sizeof *c->seen)
        return wrong(c, "it has too many operations");
    c->seen[c->seen_count++] = member;
    return true;
}

static bool check_number(struct checking *c)
{
    uint32_t number;
    if (!take_number(&c->at, &number))
        return wrong(c, "a number is missing");
    return number <= QUASI_FACTOR_MOST ? true : wrong(c, "the number is too large");
}

static bool check_class(struct checking *c)
{
    bool all = strncmp(c->at, "all=", 4) == 0;
    do
        if (!check_member(c))
            return false;
    while (take(&c->at, '+'));
    if (!take(&c->at, '='))
        return wrong(c, "'=' is missing");
    if (!check_number(c))
        return false;
    if (all && *c->at == ',')
        return wrong(c, "'all' leaves no other classes");
    return ++c->classes <= QUASI_CLASSES ? true : wrong(c, "it has too many classes");
}

static bool some_operation_removes(const struct checking *c)
{
    if (!c->count)
        return true;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t op = 0; op < c->specs[i]->operation_count; op++)
            if (spec_quasi_role(c->specs[i], op) == PLUMB_REMOVES)
                return true;
    return false;
}

bool spec_quasi_check(const char *factor, const struct plumb_spec *const *specs, uint32_t count,
                      struct diagnostic *d)
{
    struct checking c = {.start = factor, .at = factor, .specs = specs, .count = count, .d = d};
    if (isdigit((unsigned char)*factor)) {
        if (!check_number(&c))
            return false;
        if (!*c.at && !some_operation_removes(&c))
            return wrong(&c, "no operation takes something away: name the operations that may move");
    } else {
        do
            if (!check_class(&c))
                return false;
        while (take(&c.at, ','));
    }
    return *c.at ? wrong(&c, "something is left over") : true;
}
