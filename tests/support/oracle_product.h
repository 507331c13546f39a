/* SPDX-License-Identifier: Apache-2.0 */
/* The product's specification that one of the oracle is compared with. */
#ifndef TESTS_ORACLE_PRODUCT_H
#define TESTS_ORACLE_PRODUCT_H

#include "oracle/oracle.h"
#include "spec/registry.h"

#include <stdio.h>
#include <string.h>

static inline const struct plumb_spec *oracle_product(const struct oracle_spec *expected)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(expected->name, "+"), expected->name);
    const struct plumb_spec *spec = spec_find(name);
    return spec && oracle_is_extended(expected) ? spec_extended(spec) : spec;
}

#endif
