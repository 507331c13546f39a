/* SPDX-License-Identifier: Apache-2.0 */
/* An atomic flag and what it guards. */
#include "sites.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int guarded;

static void *work(void *p)
{
    if (!atomic_flag_test_and_set_explicit(&busy, A)) {
        guarded++;
        atomic_flag_clear_explicit(&busy, B);
    }
    return p;
}

int main(void)
{
    run(work, work, NULL);
    return 0;
}
