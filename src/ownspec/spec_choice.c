/* SPDX-License-Identifier: Apache-2.0 */
#include "ownspec/spec_choice.h"

#include "base/text.h"
#include "ownspec/guard.h"

#include <string.h>

static void complain_of_all(const char *name, struct diagnostic *d)
{
    OWNED struct text list = {0};
    for (unsigned i = 0; i < spec_count; i++)
        text_printf(&list, "%s%s", i ? ", " : "", spec_all[i]->name);
    diagnostic_set(d, PL_USAGE, 0, 0, "unknown specification '%.100s' (there are %s)", name, list.data);
}

const struct plumb_spec *spec_choice_find(const char *name, struct diagnostic *d)
{
    const struct plumb_spec *found = guard_is_file(name) ? spec_added() : spec_find(name);
    if (found)
        return found;
    if (strpbrk(name, "./")) {
        diagnostic_set(
            d, PL_USAGE, 0, 0,
            "unknown specification '%.100s': one of your own is in C, in a file with the ending .c", name);
        return NULL;
    }
    OWNED char *complaint = spec_parameters_complaint(name);
    const char *nearest = spec_nearest(name);
    if (complaint)
        diagnostic_set(d, PL_USAGE, 0, 0, "%s", complaint);
    else if (nearest)
        diagnostic_set(d, PL_USAGE, 0, 0, "unknown specification '%.100s', did you mean '%s'?", name,
                       nearest);
    else
        complain_of_all(name, d);
    return NULL;
}
