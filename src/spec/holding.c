/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/holding.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *spec, *takes, *gives;
} pairs[] = {
    {"lock", "acquire", "release"},
    {"rwlock", "read_lock", "read_unlock"},
    {"rwlock", "write_lock", "write_unlock"},
};

int spec_holding(const char *spec, const char *operation, uint32_t *part)
{
    size_t length = strcspn(spec, "( "); /* without its parameters */
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        *part = (uint32_t)k;
        if (strlen(pairs[k].spec) != length || memcmp(pairs[k].spec, spec, length) != 0)
            continue;
        if (strcmp(pairs[k].takes, operation) == 0)
            return 1;
        if (strcmp(pairs[k].gives, operation) == 0)
            return -1;
    }
    return 0;
}
