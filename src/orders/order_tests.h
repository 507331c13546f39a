/* SPDX-License-Identifier: Apache-2.0 */
/* The tests that orders are judged by: those that were named, or all of a size, or the program's main. */
#ifndef ORDERS_ORDER_TESTS_H
#define ORDERS_ORDER_TESTS_H

#include "campaign/campaign_options.h"
#include "target/build.h"

struct order_tests {
    const char **data; /* null: main, or the harness' own test */
    size_t len, cap;
    bool are_made; /* by size: the texts are owned */
};

/* `size`: RxC, as for plumb auto; or null. False, with a diagnostic: there are none. */
bool order_tests_find(struct order_tests *tests, const struct operand_list *named, const char *size,
                      const struct campaign_options *options, struct target_program *program,
                      const char *name, struct diagnostic *why);
void order_tests_free(struct order_tests *tests);

#endif
