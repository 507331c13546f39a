/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore.h"

void explore_destroy(struct explorer *e)
{
    if (e)
        e->class->destroy(e);
}
