/* SPDX-License-Identifier: Apache-2.0 */
/* --patch of `plumb orders`. */
#include "cli/common/output.h"
#include "cli/orders/orders_command.h"
#include "orders/order_patch.h"

#include <stdlib.h>

bool orders_write_patch(const struct orders_run *r)
{
    struct text diff = {0}, left_out = {0};
    uint8_t *answer = orders_answer(&r->orders);
    order_patch_add(&r->orders.sites, answer, &diff, &left_out);
    FILE *file = output_open(r->settings.patch);
    if (file && diff.len)
        output_text(file, &diff);
    bool written = file && output_close(file, r->settings.patch);
    if (left_out.len && r->prints) {
        struct text t = {0};
        text_printf(&t, "not in the patch:\n%s", left_out.data);
        output_flush();
        output_text(stderr, &t);
        text_free(&t);
    }
    free(answer);
    text_free(&diff);
    text_free(&left_out);
    return written;
}
