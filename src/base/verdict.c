/* SPDX-License-Identifier: Apache-2.0 */
#include "base/verdict.h"

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = {"error", "holds", "violated", "inconclusive", "survived"};
    return names[v];
}
