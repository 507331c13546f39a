/* SPDX-License-Identifier: Apache-2.0 */
/* std::ios::sync_with_stdio. The standard streams stay synchronized, since buffers of their own would outlive the
 * execution that made them; but from then on the program may no longer use them in several threads at once. */
#include "engine/standard_streams.h"
#include "rt/hook.h"
#include "rt/reset.h"
#include "rt/start.h"

static bool initial = true; /* what constructors of global objects left */

void streams_reset(void)
{
    streams_are_synchronized = initial;
}

bool _ZNSt8ios_base15sync_with_stdioEb(bool synchronized);
EXPORT bool _ZNSt8ios_base15sync_with_stdioEb(bool synchronized)
{
    if (!start_is_worker)
        return NEXT(_ZNSt8ios_base15sync_with_stdioEb)(synchronized);
    bool before = streams_are_synchronized;
    streams_are_synchronized = synchronized;
    if (!engine_active)
        initial = synchronized;
    return before;
}
