/* SPDX-License-Identifier: Apache-2.0 */
#define HASH by_address
#include "counter.h"

static uint64_t by_address(const void *state)
{
    return (uint64_t)(size_t)state;
}
COUNTER
