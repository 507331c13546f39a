/* SPDX-License-Identifier: Apache-2.0 */
/* "semaphore(3)", "queue(cap=4, weak)": specifications that are made from others, a parameter at a time. Each has the
 * one before as its base, and stays for good. */
#include "spec/builtin/builtin.h"

#include "base/memory.h"
#include "spec/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETER_LONGEST = 40 };

#define CAPACITY_MOST 1000000
#define TEXT_OF_EXPANDED(x) #x
#define TEXT_OF(x) TEXT_OF_EXPANDED(x)

enum parameter { PARAMETER_INITIAL, PARAMETER_CAPACITY, PARAMETER_RECURSIVE, PARAMETER_WEAK };

struct made {
    struct plumb_spec spec; /* first: init_of gets its address */
    const struct plumb_spec *base;
    enum parameter parameter;
    bool is_number;
    int64_t number;   /* the initial value, or the capacity */
    plumb_value word; /* an initial value that is not a number */
    char name[100];
    struct made *next;
};

static struct made *all;

/* `spec` as one of those, or null. */
static const struct made *made_of(const struct plumb_spec *spec)
{
    for (const struct made *m = all; m; m = m->next)
        if (&m->spec == spec)
            return m;
    return NULL;
}

static bool has_parameter(const struct plumb_spec *spec, enum parameter parameter)
{
    for (const struct made *m = made_of(spec); m; m = made_of(m->base))
        if (m->parameter == parameter)
            return true;
    return false;
}

bool spec_is_recursive(const struct plumb_spec *spec)
{
    return has_parameter(spec, PARAMETER_RECURSIVE);
}

const struct plumb_spec *spec_root(const struct plumb_spec *spec)
{
    for (const struct made *m; (m = made_of(spec));)
        spec = m->base;
    return spec;
}

const struct plumb_spec *spec_base_of_bounded(const struct plumb_spec *spec, uint64_t *capacity)
{
    const struct made *m = made_of(spec);
    if (!m || m->parameter != PARAMETER_CAPACITY)
        return NULL;
    *capacity = (uint64_t)m->number;
    return m->base;
}

const struct plumb_spec *spec_base_of_weak(const struct plumb_spec *spec)
{
    const struct made *m = made_of(spec);
    return m && m->parameter == PARAMETER_WEAK ? m->base : NULL;
}

/* ---- initial values ---- */

static bool scan_word(const char *text, plumb_value *out)
{
    static const struct {
        const char *name;
        plumb_value value;
    } words[] = {{"null", PLUMB_NONE}, {"true", PLUMB_TRUE}, {"false", PLUMB_FALSE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(text, words[i].name)) {
            *out = words[i].value;
            return true;
        }
    return false;
}

static bool scan_number(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return end > text && !*end && errno == 0;
}

/* Numbers may live in the pool of values, which is only known here. */
static plumb_value initial_of(const struct made *m, struct plumb_values *values)
{
    return m->is_number ? plumb_int(values, m->number) : m->word;
}

static void *init_from_value(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    const struct made *m = (const struct made *)spec;
    struct plumb_spec_options own = {options->values, initial_of(m, options->values)};
    return spec_init(m->base, &own);
}

static const char *read_initial(struct made *m, const char *text)
{
    m->is_number = scan_number(text, &m->number);
    if (!m->is_number && !scan_word(text, &m->word))
        return "is not a parameter: there are an initial value (an integer, null, true or false), cap=N, "
               "recursive and weak";
    if (!m->base->valid_initial)
        return "is an initial value, and it starts from no value, or has one already";
    struct plumb_values *values = plumb_values_create();
    bool valid = m->base->valid_initial(values, initial_of(m, values));
    plumb_values_destroy(values);
    return valid ? NULL : "is not a value that it can start from";
}

/* ---- capacities ---- */

static void *init_bounded(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    const struct made *m = (const struct made *)spec;
    struct ring *r = spec_init(m->base, options);
    r->limit = (uint32_t)m->number;
    return r;
}

bool spec_can_be_full(const struct plumb_spec *spec)
{
    return spec->init == ring_init;
}

static const char *read_capacity(struct made *m, const char *text)
{
    if (!spec_can_be_full(m->base))
        return "is not possible: queue, stack and deque can have a capacity, once, before weak";
    if (!scan_number(text, &m->number) || m->number < 1 || m->number > CAPACITY_MOST)
        return "is not a capacity: that is a number from 1 to " TEXT_OF(CAPACITY_MOST);
    return NULL;
}

/* Additions answer whether there was room. */
static const struct plumb_operation *bounded_operations(const struct plumb_spec *base)
{
    struct plumb_operation *operations = NEW_ARRAY(struct plumb_operation, base->operation_count);
    memcpy(operations, base->operations, base->operation_count * sizeof *operations);
    for (uint32_t i = 0; i < base->operation_count; i++)
        if (operations[i].role == PLUMB_ADDS)
            operations[i].results = "bk";
    return operations;
}

/* False may be an element, too: only additions have an argument. */
static bool bounded_effect_free(const struct plumb_call *call)
{
    return call->result == PLUMB_NONE || (call->result == PLUMB_FALSE && call->arg != PLUMB_OK);
}

/* ---- all of them ---- */

/* What is behind "cap=", which formatters of C like to spread; null: it is another parameter. */
static const char *find_capacity(const char *text)
{
    if (strncmp(text, "cap", 3) != 0)
        return NULL;
    text += 3 + strspn(text + 3, " ");
    return *text == '=' ? text + 1 : NULL;
}

static const char *read_parameter(struct made *m, const char *text)
{
    const char *capacity = find_capacity(text);
    if (capacity) {
        m->parameter = PARAMETER_CAPACITY;
        return read_capacity(m, capacity);
    }
    if (strcmp(text, "recursive") == 0) {
        struct plumb_spec copy = *m->base;
        m->parameter = PARAMETER_RECURSIVE;
        bool possible = spec_recursive_make(&copy) && !spec_is_recursive(m->base);
        return possible ? NULL : "is not possible: lock and rwlock can be, once, before weak";
    }
    if (strcmp(text, "weak") != 0)
        return read_initial(m, text);
    m->parameter = PARAMETER_WEAK;
    if (has_parameter(m->base, PARAMETER_WEAK))
        return "is there twice";
    return spec_weak_is_possible(m->base) ? NULL : "is not possible: none of its operations can fail";
}

static void make_name(struct made *m)
{
    char parameter[PARAMETER_LONGEST];
    const char *word = m->word == PLUMB_NONE ? "null" : m->word == PLUMB_TRUE ? "true" : "false";
    if (m->parameter == PARAMETER_WEAK || m->parameter == PARAMETER_RECURSIVE)
        snprintf(parameter, sizeof parameter, m->parameter == PARAMETER_WEAK ? "weak" : "recursive");
    else if (m->parameter == PARAMETER_CAPACITY)
        snprintf(parameter, sizeof parameter, "cap=%" PRId64, m->number);
    else if (m->is_number)
        snprintf(parameter, sizeof parameter, "%" PRId64, m->number);
    else
        snprintf(parameter, sizeof parameter, "%s", word);
    int length = (int)strlen(m->base->name);
    bool first = !made_of(m->base);
    snprintf(m->name, sizeof m->name, "%.*s%s%s)", first ? length : length - 1, m->base->name,
             first ? "(" : ", ", parameter);
}

static const struct plumb_spec *find_made(const struct made *wanted)
{
    for (const struct made *m = all; m; m = m->next)
        if (m->base == wanted->base && !strcmp(m->name, wanted->name))
            return &m->spec;
    return NULL;
}

static const struct plumb_spec *keep(const struct made *m)
{
    struct made *kept = NEW(struct made);
    *kept = *m;
    struct plumb_spec *spec = &kept->spec;
    *spec = *m->base;
    spec->name = kept->name;
    spec->kind =
        PLUMB_KIND_OTHER; /* the algorithms know where objects of a kind begin, and what they answer */
    spec->init = NULL;
    switch (m->parameter) {
    case PARAMETER_INITIAL:
        spec->init_of = init_from_value;
        spec->valid_initial = NULL;
        break;
    case PARAMETER_CAPACITY:
        spec->init_of = init_bounded;
        spec->operations = bounded_operations(m->base);
        spec->effect_free = bounded_effect_free;
        break;
    case PARAMETER_RECURSIVE:
        spec->init = m->base->init;
        spec_recursive_make(spec);
        break;
    case PARAMETER_WEAK: spec_weak_make(spec); break;
    }
    kept->next = all;
    all = kept;
    return spec;
}

static const struct plumb_spec *find_or_keep(const struct made *m)
{
    const struct plumb_spec *found = find_made(m);
    return found ? found : keep(m);
}

const struct plumb_spec *spec_on_root(const struct plumb_spec *spec, const struct plumb_spec *root)
{
    const struct made *m = made_of(spec);
    if (!m)
        return root;
    struct made again = *m;
    again.base = spec_on_root(m->base, root);
    return find_or_keep(&again);
}

/* One more parameter. Null: *problem says why not. */
static const struct plumb_spec *add_parameter(const struct plumb_spec *base, const char *text,
                                              const char **problem)
{
    struct made m = {.base = base};
    if ((*problem = read_parameter(&m, text)))
        return NULL;
    make_name(&m);
    return find_or_keep(&m);
}

const struct plumb_spec *spec_parameters_find(const struct plumb_spec *base, const char *text, size_t length,
                                              char **complaint)
{
    const char *end = text + length, *problem = NULL;
    const struct plumb_spec *found = base;
    for (bool more = true; found && more;) {
        const char *comma = memchr(text, ',', (size_t)(end - text)), *last = comma ? comma : end;
        char one[PARAMETER_LONGEST];
        while (text < last && *text == ' ')
            text++;
        while (text < last && last[-1] == ' ')
            last--;
        bool fits = (size_t)(last - text) < sizeof one;
        snprintf(one, sizeof one, "%.*s", (int)(last - text), text);
        problem = "is too long";
        found = fits ? add_parameter(found, one, &problem) : NULL;
        if (!found && complaint) {
            struct text t = {0};
            text_printf(&t, "'%s' of the specification %s %s", one, base->name, problem);
            *complaint = text_take(&t);
        }
        more = comma;
        text = comma ? comma + 1 : end;
    }
    return found;
}
