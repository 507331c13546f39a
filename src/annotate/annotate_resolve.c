/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs together: interfaces to structures, labels to points, names in rules to interfaces. */
#include "annotate/annotate_unit.h"

#include <string.h>

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A header and the source of the same name. */
static bool same_stem(const char *a, const char *b)
{
    a = file_name(a), b = file_name(b);
    size_t n = strcspn(a, "."), m = strcspn(b, ".");
    return n == m && !memcmp(a, b, n);
}

/* --- structures ---------------------------------------------------------------------------------- */

static bool is_class_of(const struct unit *u, const struct structure *s, const char *name)
{
    const struct scope *scope = &u->scopes.data[s->scope];
    return scope->kind == SCOPE_CLASS && name && !strcmp(scope->name, name);
}

static bool is_around(const struct unit *u, size_t scope, size_t inner)
{
    while (inner != scope && inner)
        inner = u->scopes.data[inner].parent;
    return inner == scope;
}

/* How near a structure is to an interface: 0 is not at all. */
static int nearness(const struct unit *u, const struct structure *s, const struct interface *i)
{
    bool same_file = !strcmp(s->at.file, i->at.file);
    if (u->scopes.data[s->scope].kind == SCOPE_CLASS) {
        if (is_class_of(u, s, i->function.class_name) || s->scope == i->scope)
            return 5;
        return is_around(u, s->scope, i->scope) ? 4 : 0;
    }
    return same_file ? 3 : same_stem(s->at.file, i->at.file) ? 2 : 1;
}

static void find_structure(struct unit *u, struct interface *i)
{
    int best = 0, equal = 0;
    for (size_t k = 0; k < u->structures.len; k++) {
        int near = nearness(u, u->structures.data[k], i);
        if (near && near == best)
            equal++;
        if (near > best) {
            best = near;
            equal = 1;
            i->structure = u->structures.data[k];
        }
    }
    if (best == 3 && equal > 1) /* in namespaces: the innermost one around it */
        for (size_t k = 0; k < u->structures.len; k++)
            if (nearness(u, u->structures.data[k], i) == 3 &&
                is_around(u, u->structures.data[k]->scope, i->scope))
                i->structure = u->structures.data[k];
    if (!i->structure)
        unit_error(u, &i->at, "@Interface %s: there is no @Structure_Define for it", i->name);
    else if (best < 3 && equal > 1)
        unit_error(u, &i->at, "@Interface %s: which @Structure_Define does it belong to? There are %d",
                   i->name, equal);
}

static void check_structures(struct unit *u)
{
    for (size_t k = 0; k < u->structures.len; k++) {
        struct structure *s = u->structures.data[k];
        const struct scope *scope = &u->scopes.data[s->scope];
        if (scope->in_function || (u->scan.language == ANNOTATE_C && scope->kind == SCOPE_CLASS))
            unit_error(
                u, &s->at,
                u->scan.language == ANNOTATE_C
                    ? "@Structure_Define stands within braces; it belongs outside of them"
                    : "@Structure_Define stands within a function; it belongs into a class or outside");
        if (!s->name)
            s->name = scope->kind == SCOPE_CLASS ? scope->name : "";
        for (size_t other = 0; other < k; other++)
            if (u->structures.data[other]->scope == s->scope &&
                !strcmp(u->structures.data[other]->at.file, s->at.file))
                unit_error(u, &s->at, "a second @Structure_Define; the first is at line %u",
                           u->structures.data[other]->at.line);
    }
}

/* --- labels -------------------------------------------------------------------------------------- */

static bool is_point_label(const struct unit *u, const char *label)
{
    for (size_t k = 0; k < u->points.len; k++) {
        const struct point *p = u->points.data[k];
        if ((p->word == WORD_CHECK || p->word == WORD_LABEL_CHECK) && p->label.name &&
            !strcmp(p->label.name, label))
            return true;
    }
    return false;
}

static bool is_potential(const struct unit *u, const char *label)
{
    for (size_t k = 0; k < u->points.len; k++) {
        const struct point *p = u->points.data[k];
        if (p->word == WORD_POTENTIAL && p->label.name && !strcmp(p->label.name, label))
            return true;
    }
    return false;
}

static bool is_in_a_set(const struct unit *u, const char *label)
{
    for (size_t k = 0; k < u->interfaces.len; k++)
        for (size_t n = 0; n < u->interfaces.data[k]->points.len; n++)
            if (!strcmp(u->interfaces.data[k]->points.data[n].name, label))
                return true;
    return false;
}

static bool is_checked(const struct unit *u, const char *label)
{
    for (size_t k = 0; k < u->points.len; k++)
        if (u->points.data[k]->potential.name && !strcmp(u->points.data[k]->potential.name, label))
            return true;
    return false;
}

static void check_labels(struct unit *u)
{
    for (size_t k = 0; k < u->interfaces.len; k++) {
        const struct interface *i = u->interfaces.data[k];
        for (size_t n = 0; n < i->points.len; n++)
            if (!is_point_label(u, i->points.data[n].name))
                unit_error(u, &i->points.data[n].at, "no ordering point has the label %s%s",
                           i->points.data[n].name,
                           is_potential(u, i->points.data[n].name)
                               ? ", only a potential one; add @Ordering_Point_Check"
                               : "");
    }
    for (size_t k = 0; k < u->points.len; k++) {
        const struct point *p = u->points.data[k];
        if (p->potential.name && !is_potential(u, p->potential.name))
            unit_error(u, &p->potential.at, "no @Potential_Ordering_Point has the label %s",
                       p->potential.name);
        if (!p->label.name || p->word == WORD_CLEAR || !u->interfaces.len)
            continue;
        if (p->word == WORD_POTENTIAL ? !is_checked(u, p->label.name) : !is_in_a_set(u, p->label.name))
            unit_error(u, &p->label.at,
                       p->word == WORD_POTENTIAL ? "no @Ordering_Point_Check asks for the label %s"
                                                 : "no @Ordering_Point_Set has the label %s",
                       p->label.name);
    }
}

/* --- rules --------------------------------------------------------------------------------------- */

static const struct interface *interface_of(const struct unit *u, const struct structure *s, const char *name)
{
    for (size_t k = 0; k < u->interfaces.len; k++)
        if (u->interfaces.data[k]->structure == s && !strcmp(u->interfaces.data[k]->name, name))
            return u->interfaces.data[k];
    return NULL;
}

static void check_side(struct unit *u, const struct structure *s, const struct named_place *name,
                       const struct named_place *condition)
{
    const struct interface *i = interface_of(u, s, name->name);
    if (!i)
        unit_error(u, &name->at, "@Happens_Before: there is no @Interface %s", name->name);
    bool found = !i || !condition->name;
    for (size_t k = 0; !found && k < i->conditions.len; k++)
        found = !strcmp(i->conditions.data[k].name.name, condition->name);
    if (!found)
        unit_error(u, &condition->at, "@Happens_Before: %s has no @HB_Condition %s", name->name,
                   condition->name);
}

static void check_rules(struct unit *u)
{
    for (size_t k = 0; k < u->structures.len; k++) {
        const struct structure *s = u->structures.data[k];
        bool used = false; /* a header's may be for functions that are defined elsewhere */
        for (size_t n = 0; n < u->interfaces.len; n++)
            used |= u->interfaces.data[n]->structure == s;
        for (size_t n = 0; used && n < s->rules.len; n++) {
            check_side(u, s, &s->rules.data[n].from, &s->rules.data[n].from_condition);
            check_side(u, s, &s->rules.data[n].to, &s->rules.data[n].to_condition);
        }
    }
}

/* --- interfaces ---------------------------------------------------------------------------------- */

static void check_names(struct unit *u, const struct interface *i)
{
    const struct structure *s = i->structure;
    for (size_t k = 0; s && k < s->variables.len; k++)
        for (size_t n = 0; n < i->function.parameters.len; n++) {
            const char *name = i->function.parameters.data[n].text;
            if (name && !strcmp(name, s->variables.data[k].name) &&
                (code_uses(&i->pre, name) || code_uses(&i->side, name) || code_uses(&i->post, name)))
                unit_error(u, &i->at,
                           "@Interface %s: %s is a parameter and a variable of @DeclareVar; rename one",
                           i->name, name);
        }
}

static void check_result(struct unit *u, const struct interface *i)
{
    const struct function *f = &i->function;
    bool is_void = i->found && unit_is(u, f->begin, "void") && unit_next(u, f->begin) == f->name_begin;
    const struct code *codes[] = {&i->call_id, &i->pre, &i->side, &i->post};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        if (is_void && code_uses(codes[k], "__RET__"))
            unit_error(u, &codes[k]->at, "__RET__: %s returns nothing", f->text);
    if (code_uses(&i->object, "__RET__"))
        unit_error(u, &i->object.at, "__RET__: the object is needed when the call begins");
}

static void check_interfaces(struct unit *u)
{
    for (size_t k = 0; k < u->interfaces.len; k++) {
        struct interface *i = u->interfaces.data[k];
        find_structure(u, i);
        check_names(u, i);
        check_result(u, i);
        for (size_t n = 0; n < k; n++)
            if (*i->name && u->interfaces.data[n]->structure == i->structure &&
                !strcmp(u->interfaces.data[n]->name, i->name))
                unit_error(u, &i->at, "a second @Interface %s; the first is at line %u", i->name,
                           u->interfaces.data[n]->at.line);
    }
}

void unit_resolve(struct unit *u)
{
    check_structures(u);
    check_interfaces(u);
    if (u->result->errors.len) /* what follows would be their consequences */
        return;
    check_labels(u);
    check_rules(u);
}
