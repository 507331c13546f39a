/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that come after all small ones. */
#ifndef AUTOTEST_AUTO_GROW_H
#define AUTOTEST_AUTO_GROW_H

#include "autotest/auto_holding.h"
#include "autotest/auto_tests.h"

struct auto_growth {
    const auto_calls *calls;
    const auto_holdings *holdings;
    uint32_t single; /* roles for one thread */
    bool ends;       /* with operations before and after */
    uint64_t seed;
};

/* Test number `number`: a few more calls or threads than small ones have. Roles are kept, and who holds what. */
void auto_grow(const struct auto_growth *growth, uint64_t number, struct auto_test *t);

#endif
