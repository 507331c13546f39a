/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions as arguments: [["r", k, null], ["w", k, v], ...]. The first item may also be "read" or "write", or one of these as a
 * keyword of EDN. The answer is the same with what was read instead of null. */
#ifndef SPEC_TRANSACTION_H
#define SPEC_TRANSACTION_H

#include <plumb/value.h>

struct transaction_part {
    bool writes;
    plumb_value key, value;
};

bool transaction_is_one(const struct plumb_values *values, plumb_value v);
/* Of one that is well formed. */
struct transaction_part transaction_part(const struct plumb_values *values, plumb_value v, size_t i);
/* Is `answer` the transaction `v` with something read? */
bool transaction_answers(const struct plumb_values *values, plumb_value v, plumb_value answer);

#endif
