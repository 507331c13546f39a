/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/holding.h"

#include "spec/registry.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *spec, *takes, *may_take, *gives;
    bool nests; /* if it is recursive */
    bool shared;
} parts[] = {
    {"lock", "acquire", "try_acquire", "release", true, false},
    {"rwlock", "read_lock", "try_read_lock", "read_unlock", true, true},
    {"rwlock", "write_lock", "try_write_lock", "write_unlock", false, false},
};

struct spec_holding spec_holding_of(const char *spec, const char *operation)
{
    size_t length = strcspn(spec, "( "); /* without its parameters */
    for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strlen(parts[k].spec) != length || memcmp(parts[k].spec, spec, length) != 0)
            continue;
        const struct plumb_spec *found = spec_find(spec);
        bool nests = parts[k].nests && found && spec_is_recursive(found);
        if (strcmp(parts[k].takes, operation) == 0)
            return (struct spec_holding){SPEC_TAKES, k, nests, parts[k].shared};
        if (strcmp(parts[k].may_take, operation) == 0)
            return (struct spec_holding){SPEC_MAY_TAKE, k, nests, parts[k].shared};
        if (strcmp(parts[k].gives, operation) == 0)
            return (struct spec_holding){SPEC_GIVES_UP, k, nests, parts[k].shared};
    }
    return (struct spec_holding){0};
}
