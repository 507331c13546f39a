/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/auto_compare.h"

#include "base/terminal.h"
#include "cli/check_compare.h"

#include <stdlib.h>
#include <string.h>

void auto_compare_note(struct auto_compared *c, const char *test, const struct auto_result *r)
{
    check_compare_add(&c->sum, &r->compared);
    c->races += r->verdict == AUTO_FAILED && r->error == WORKER_ERROR_RACE;
    if (r->compared.not_serializable && !c->conflicting)
        c->conflicting = strdup(test);
    if (r->compared.not_sequential && !c->weak)
        c->weak = strdup(test);
}

static void add_test(struct text *out, const char *test)
{
    if (!test)
        return;
    text_puts(out, "    first in the test '");
    terminal_add_safe(out, test);
    text_puts(out, "'\n");
}

void auto_compare_add_text(struct text *out, const struct auto_compared *c, const struct check_options *o)
{
    if (o->compare) {
        check_compare_add_conflicts(out, &c->sum, c->races, NULL);
        add_test(out, c->conflicting);
    }
    if (o->report_weak) {
        check_compare_add_weak(out, &c->sum, NULL);
        add_test(out, c->weak);
    }
}

void auto_compare_free(struct auto_compared *c)
{
    free(c->conflicting);
    free(c->weak);
}
