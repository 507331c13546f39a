/* SPDX-License-Identifier: Apache-2.0 */
/* Other memory orders, written into the source: a unified diff. */
#ifndef ORDERS_ORDER_PATCH_H
#define ORDERS_ORDER_PATCH_H

#include "campaign/order_sites.h"

struct order_patch {
    struct text diff;
    struct text root;     /* the folder that it is for, with a '/' behind it; empty: the working folder */
    struct text left_out; /* a line for each site that cannot be changed in the source: why */
};

/* A diff that gives each site its new order (ORDER_PLAIN: as it is). */
void order_patch_make(struct order_patch *p, const struct order_sites *s, const uint8_t *orders);
void order_patch_free(struct order_patch *p);

#endif
