/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/builtin/builtin.h"

#include "base/memory.h"
#include "spec/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct started {
    struct plumb_spec spec; /* first: init_of gets its address */
    const struct plumb_spec *base;
    bool is_number;
    int64_t number;
    plumb_value word; /* of what is not a number */
    char name[100];
    struct started *next;
};

static struct started *all;

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

static bool scan(struct started *s, const char *text)
{
    char *end;
    errno = 0;
    s->number = strtoll(text, &end, 10);
    s->is_number = end > text && !end[strspn(end, " ")] && errno == 0;
    return s->is_number || scan_word(text, &s->word);
}

static void name(struct started *s)
{
    const char *word = s->word == PLUMB_NONE ? "null" : s->word == PLUMB_TRUE ? "true" : "false";
    if (s->is_number)
        snprintf(s->name, sizeof s->name, "%s(%" PRId64 ")", s->base->name, s->number);
    else
        snprintf(s->name, sizeof s->name, "%s(%s)", s->base->name, word);
}

/* Numbers may live in the pool of values, which is only known here. */
static plumb_value initial_of(const struct started *s, struct plumb_values *values)
{
    return s->is_number ? plumb_int(values, s->number) : s->word;
}

static void *init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    const struct started *s = (const struct started *)spec;
    struct plumb_spec_options own = {options->values, initial_of(s, options->values)};
    return spec_init(s->base, &own);
}

static bool is_valid(const struct started *s)
{
    if (!s->base->valid_initial)
        return false;
    struct plumb_values *values = plumb_values_create();
    bool valid = s->base->valid_initial(values, initial_of(s, values));
    plumb_values_destroy(values);
    return valid;
}

static const struct plumb_spec *find_made(const char *wanted)
{
    for (const struct started *s = all; s; s = s->next)
        if (!strcmp(s->name, wanted))
            return &s->spec;
    return NULL;
}

static const struct plumb_spec *keep(struct started *s)
{
    struct started *kept = NEW(struct started);
    *kept = *s;
    kept->spec = *s->base;
    kept->spec.name = kept->name;
    kept->spec.kind = PLUMB_KIND_OTHER; /* the algorithms know where objects of a kind begin */
    kept->spec.init = NULL;
    kept->spec.init_of = init;
    kept->spec.valid_initial = NULL;
    kept->next = all;
    all = kept;
    return &kept->spec;
}

const struct plumb_spec *spec_initial_find(const struct plumb_spec *base, const char *text, size_t length)
{
    struct started s = {.base = base};
    char copy[32];
    if (length >= sizeof copy)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (!scan(&s, copy) || !is_valid(&s))
        return NULL;
    name(&s);
    const struct plumb_spec *made = find_made(s.name);
    return made ? made : keep(&s);
}
