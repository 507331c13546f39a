/* SPDX-License-Identifier: Apache-2.0 */
/* Other memory orders, written into the source: a unified diff. */
#ifndef ORDERS_ORDER_PATCH_H
#define ORDERS_ORDER_PATCH_H

#include "campaign/order_sites.h"

/* Adds a diff that gives each site its new order (ORDER_PLAIN: as it is), and to `left_out` a line for each that cannot be changed there,
 * with the reason. */
void order_patch_add(const struct order_sites *s, const uint8_t *orders, struct text *diff,
                     struct text *left_out);

#endif
