/* SPDX-License-Identifier: Apache-2.0 */
/* Roles of threads (PLUMB_ROLE): who may call what. */
#include "harness/role_words.h"
#include "spec/roles.h"
#include "worker/harness/harness_state.h"

#include <string.h>

uint32_t harness_roles_of(const struct plumb_part *operation)
{
    return roles_of_operation(harness.parts.data, harness.parts.len, operation);
}

uint32_t harness_single_roles(void)
{
    return roles_for_one(harness.parts.data, harness.parts.len);
}

void harness_check_role(const struct plumb_part *role)
{
    size_t length, count = 0;
    for (size_t i = 0; i < harness.parts.len; i++) {
        const struct plumb_part *p = harness.parts.data[i];
        count += role_is(p);
        if (role_is(p) && p != role && strcmp(p->name, role->name) == 0)
            harness_refuse_at(p, "the role '%s' is defined twice", role->name);
    }
    if (count > ROLES_MAX)
        harness_refuse_at(role, "there are more than %d roles", ROLES_MAX);
    for (const char *w = role->text; (w = role_next_word(w, &length)); w += length) {
        bool found = false;
        for (size_t i = 0; i < harness.operations.len; i++)
            found |= role_word_names(w, length, harness.operations.data[i]);
        if (!found)
            harness_refuse_at(role, "the role '%s' names an operation '%.*s' that the harness does not have",
                              role->name, (int)length, w);
    }
}

/* What the thread calls, as the test has it. */
static char *text_of_column(struct matrix_range range)
{
    struct text t = {0};
    for (uint32_t i = range.from; i < range.to; i++)
        text_printf(&t, "%s%.*s", i > range.from ? " " : "", (int)harness.matrix.ops.data[i].length,
                    harness.matrix.ops.data[i].text);
    return text_take(&t);
}

void harness_check_test_roles(const struct plumb_part *own)
{
    const struct matrix *m = &harness.matrix;
    OWNED uint32_t *allowed = NEW_ARRAY(uint32_t, m->columns.len + 1);
    uint32_t single = harness_single_roles();
    for (size_t k = 0; k < m->columns.len; k++) {
        allowed[k] = ROLES_ANY;
        for (uint32_t i = m->columns.data[k].from; i < m->columns.data[k].to; i++)
            allowed[k] &= harness_roles_of(m->ops.data[i].operation);
        harness.shared->ill_formed = true;
        if (!allowed[k])
            harness_refuse_at(own, "no role of the harness lets thread %zu of the test call all of '%s'",
                              k + 1, text_of_column(m->columns.data[k]));
        if (!roles_can_share(allowed, k + 1, single))
            harness_refuse_at(
                own,
                "thread %zu of the test ('%s') needs a role that is for one thread (PLUMB_ROLE), and "
                "another thread has it",
                k + 1, text_of_column(m->columns.data[k]));
    }
    harness.shared->ill_formed = false;
}
