/* SPDX-License-Identifier: Apache-2.0 */
/* The way to an error, with names that stay. Private to this folder. */
#ifndef REFINE_RUN_H
#define REFINE_RUN_H

#include "refine/product/product.h"
#include "refine/refine.h"

/* Fills r->run. False: there are more items on the way than names. */
bool run_build(struct product *p, struct refine_result *r);

#endif
