/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/spec_user.h"

#include "base/memory.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define ARGUMENT_LETTERS "veinspt"
#define RESULT_LETTERS "vNbisak"

static const struct plumb_spec *own; /* as the user wrote it */
static struct plumb_spec complete;

/* --- what may be left out ---------------------------------------------------------------------------------------- */

/* `init_of` finds data of its own around the specification: it has to see the user's, not our copy. */
static void *init_own(const struct plumb_spec_options *options)
{
    return spec_init(own, options);
}

static size_t print_nothing(const void *state, char *buffer, size_t size)
{
    (void)state;
    if (size)
        *buffer = 0;
    return 0;
}

static void complete_operations(void)
{
    static struct plumb_operation *operations;
    free(operations);
    operations = NEW_ARRAY(struct plumb_operation, own->operation_count);
    for (uint32_t i = 0; i < own->operation_count; i++) {
        operations[i] = own->operations[i];
        if (!operations[i].args)
            operations[i].args = "";
        if (!operations[i].results)
            operations[i].results = "k";
    }
    complete.operations = operations;
}

/* --- what may not ------------------------------------------------------------------------------------------------ */

static bool has_functions(const struct plumb_spec *s, struct diagnostic *d)
{
    const struct {
        const char *name;
        bool there;
    } needed[] = {{"init", s->init || s->init_of},
                  {"destroy", s->destroy},
                  {"clone", s->clone},
                  {"hash", s->hash},
                  {"equal", s->equal},
                  {"step", s->step}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!needed[i].there)
            return diagnostic_set(d, PL_BAD_SPEC, 0, 0, "the specification %s has no function '%s'", s->name,
                                  needed[i].name);
    if (s->init && s->init_of)
        return diagnostic_set(d, PL_BAD_SPEC, 0, 0, "the specification %s has both 'init' and 'init_of'",
                              s->name);
    return true;
}

static bool is_word(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return *name;
}

static bool has_name(const struct plumb_spec *s, struct diagnostic *d)
{
    if (!s->name || !is_word(s->name) || strlen(s->name) > SPEC_USER_NAME_MOST)
        return diagnostic_set(d, PL_BAD_SPEC, 0, 0,
                              "the specification's name has to be 1 to %d letters, digits, '_' or '-'",
                              SPEC_USER_NAME_MOST);
    for (unsigned i = 0; i < spec_count; i++)
        if (!strcmp(spec_all[i]->name, s->name))
            return diagnostic_set(d, PL_BAD_SPEC, 0, 0,
                                  "'%s' is the name of a built-in specification; choose another one",
                                  s->name);
    return true;
}

static bool has_letters(const char *name, const char *what, const char *letters, const char *known,
                        struct diagnostic *d)
{
    size_t length = letters ? strspn(letters, known) : 0;
    if (!letters || !letters[length])
        return true;
    return diagnostic_set(d, PL_BAD_SPEC, 0, 0, "operation '%s': '%c' is not a letter of %s; they are \"%s\"",
                          name, isprint((unsigned char)letters[length]) ? letters[length] : '?', what, known);
}

static bool has_operation(const struct plumb_spec *s, uint32_t number, struct diagnostic *d)
{
    const struct plumb_operation *o = &s->operations[number];
    if (!o->name || !is_word(o->name))
        return diagnostic_set(d, PL_BAD_SPEC, 0, 0,
                              "operation %u of %s has no name of letters, digits, '_' or '-'", number + 1,
                              s->name);
    for (uint32_t i = 0; i < number; i++)
        if (!strcmp(s->operations[i].name, o->name))
            return diagnostic_set(d, PL_BAD_SPEC, 0, 0, "two operations of %s are called '%s'", s->name,
                                  o->name);
    if (o->results && !*o->results)
        return diagnostic_set(d, PL_BAD_SPEC, 0, 0, "operation '%s' has no letter of a result", o->name);
    return has_letters(o->name, "an argument", o->args, ARGUMENT_LETTERS, d) &&
           has_letters(o->name, "a result", o->results, RESULT_LETTERS, d);
}

static bool has_operations(const struct plumb_spec *s, struct diagnostic *d)
{
    if (!s->operations || !s->operation_count || s->operation_count > UINT16_MAX)
        return diagnostic_set(d, PL_BAD_SPEC, 0, 0,
                              "the specification %s has no operations (.operations, .operation_count)",
                              s->name);
    for (uint32_t i = 0; i < s->operation_count; i++)
        if (!has_operation(s, i, d))
            return false;
    return true;
}

/* ----------------------------------------------------------------------------------------------------------------- */

bool spec_user_adopt(const struct plumb_spec *wanted, struct diagnostic *d)
{
    if (!has_name(wanted, d) || !has_operations(wanted, d) || !has_functions(wanted, d))
        return false;
    own = wanted;
    complete = *wanted;
    complete.init = init_own;
    complete.init_of = NULL;
    complete.kind = PLUMB_KIND_OTHER; /* what it says of itself is not known to be true */
    if (!complete.summary)
        complete.summary = "";
    if (!complete.print)
        complete.print = print_nothing;
    complete_operations();
    spec_add(&complete);
    return true;
}

bool spec_user_load(const char *library, struct diagnostic *d)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror(),
                   *text = reason ? strstr(reason, ": ") : NULL; /* behind the file's name */
        return diagnostic_set(d, PL_BUILD, 0, 0, "the specification cannot be loaded: %s",
                              text ? text + 2 : "no reason is known");
    }
    const struct plumb_spec *found = dlsym(handle, "plumb_user_specification");
    if (!found)
        return diagnostic_set(d, PL_BAD_SPEC, 0, 0,
                              "this file defines no specification: it needs PLUMB_SPECIFICATION = {...};");
    return spec_user_adopt(found, d);
}
