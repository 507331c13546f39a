/* SPDX-License-Identifier: Apache-2.0 */
#define INIT talk
#include "counter.h"

#include <unistd.h>

static void *talk(const struct plumb_spec_options *options)
{
    static bool said;
    if (!said)
        printf("init is called, ");
    fflush(stdout);
    if (!said && write(STDOUT_FILENO, "for the first time\n", 19) < 0)
        abort();
    said = true;
    return right_init(options);
}
COUNTER
