/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/role_words.h"

#include "spec/roles.h"

#include <string.h>

bool role_is(const struct plumb_part *part)
{
    return part->kind == PLUMB_PART_ROLE || part->kind == PLUMB_PART_ROLE_MANY;
}

const char *role_next_word(const char *at, size_t *length)
{
    at += strspn(at, ", ");
    *length = strcspn(at, ", ");
    return *length ? at : NULL;
}

bool role_word_names(const char *word, size_t length, const struct plumb_part *operation)
{
    size_t object = strlen(operation->object), name = strlen(operation->name);
    if (length == name)
        return strncmp(word, operation->name, name) == 0;
    return length == object + 1 + name && strncmp(word, operation->object, object) == 0 &&
           word[object] == '.' && strncmp(word + object + 1, operation->name, name) == 0;
}

bool role_has_operation(const struct plumb_part *role, const struct plumb_part *operation)
{
    size_t length;
    for (const char *w = role->text; (w = role_next_word(w, &length)); w += length)
        if (role_word_names(w, length, operation))
            return true;
    return false;
}

uint32_t roles_of_operation(const struct plumb_part *const *parts, size_t count,
                            const struct plumb_part *operation)
{
    uint32_t roles = 0, bit = 1;
    for (size_t i = 0; i < count; i++)
        if (role_is(parts[i])) {
            roles |= role_has_operation(parts[i], operation) ? bit : 0;
            bit <<= 1;
        }
    return roles ? roles : ROLES_ANY;
}

uint32_t roles_for_one(const struct plumb_part *const *parts, size_t count)
{
    uint32_t roles = 0, bit = 1;
    for (size_t i = 0; i < count; i++)
        if (role_is(parts[i])) {
            roles |= parts[i]->kind == PLUMB_PART_ROLE ? bit : 0;
            bit <<= 1;
        }
    return roles;
}
