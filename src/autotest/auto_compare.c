/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_compare.h"

#include "base/terminal.h"
#include "campaign/tables/compared.h"

#include <stdlib.h>
#include <string.h>

void auto_compare_note(struct auto_compared *c, const char *test, const struct auto_result *r)
{
    compared_add(&c->sum, &r->compared);
    c->races += r->verdict == VERDICT_VIOLATED && r->error == WORKER_ERROR_RACE;
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

void auto_compare_add_text(struct text *out, const struct auto_compared *c, const struct campaign_options *o)
{
    if (o->compare) {
        compared_add_conflicts(out, &c->sum, c->races, NULL);
        add_test(out, c->conflicting);
    }
    if (o->report_weak) {
        compared_add_weak(out, &c->sum, NULL);
        add_test(out, c->weak);
    }
}

void auto_compare_free(struct auto_compared *c)
{
    free(c->conflicting);
    free(c->weak);
}
