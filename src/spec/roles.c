/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/roles.h"

/* There are few threads and few roles: tries all. */
static bool share(const uint32_t *allowed, size_t threads, uint32_t single, uint32_t taken)
{
    if (threads == 0)
        return true;
    if (*allowed == ROLES_ANY)
        return share(allowed + 1, threads - 1, single, taken);
    uint32_t many = *allowed & ~single;
    if (many) /* leaves the others to others */
        return share(allowed + 1, threads - 1, single, taken);
    for (uint32_t left = *allowed & single & ~taken; left; left &= left - 1)
        if (share(allowed + 1, threads - 1, single, taken | (left & -left)))
            return true;
    return false;
}

bool roles_can_share(const uint32_t *allowed, size_t threads, uint32_t single)
{
    return share(allowed, threads, single, 0);
}
