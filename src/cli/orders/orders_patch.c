/* SPDX-License-Identifier: Apache-2.0 */
/* --patch of `plumb orders`. */
#include "base/terminal.h"
#include "cli/common/output.h"
#include "cli/orders/orders_command.h"
#include "orders/order_patch.h"

#include <stdlib.h>

/* What the file does not say: where it is to be applied, and what is not in it. */
static void print_notes(const struct order_patch *p)
{
    struct text t = {0};
    if (p->diff.len && p->root.len) {
        text_puts(&t, "the patch is to be applied in ");
        terminal_add_safe(&t, p->root.data);
        text_puts(&t, "\n");
    }
    if (p->left_out.len)
        text_printf(&t, "not in the patch:\n%s", p->left_out.data);
    output_flush();
    if (t.len)
        output_text(stderr, &t);
    text_free(&t);
}

bool orders_write_patch(const struct orders_run *r)
{
    struct order_patch patch = {0};
    uint8_t *answer = orders_answer(&r->orders);
    order_patch_make(&patch, &r->orders.sites, answer);
    FILE *file = output_open(r->settings.patch);
    if (file && patch.diff.len)
        output_text(file, &patch.diff);
    bool written = file && output_close(file, r->settings.patch);
    if (r->prints)
        print_notes(&patch);
    free(answer);
    order_patch_free(&patch);
    return written;
}
