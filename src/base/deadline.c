/* SPDX-License-Identifier: Apache-2.0 */
#include "base/deadline.h"

#include "base/budget.h"

static double deadline; /* base_now(); 0: none */

void deadline_set(double seconds)
{
    deadline = seconds > 0 ? base_now() + seconds : 0;
}

bool deadline_passed(void)
{
    return deadline > 0 && base_now() >= deadline;
}

double deadline_left(void)
{
    double left = deadline - base_now();
    return deadline <= 0 ? __builtin_inf() : left > 0 ? left : 0; /* the runtime has no libm */
}

double deadline_tighten(double seconds)
{
    double before = deadline;
    if (seconds < deadline_left())
        deadline_set(seconds);
    return before;
}

void deadline_restore(double before)
{
    deadline = before;
}
