/* SPDX-License-Identifier: Apache-2.0 */
#include "base/verdict.h"

const char *verdict_name(enum verdict v)
{
    static const char *const names[] = {"holds", "violated", "inconclusive", "survived", "error"};
    return names[v];
}
