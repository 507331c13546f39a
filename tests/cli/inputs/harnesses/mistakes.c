/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of one, and what may be wrong with a harness. */
#include <plumb.h>

static int top;

#ifdef NO_SUCH_SPECIFICATION
PLUMB_OBJECT(stak)
#elif defined DERIVED
PLUMB_OBJECT()
#else
PLUMB_OBJECT(stack)
#endif

#ifndef NO_OPERATIONS
PLUMB_OP(push, int, v)
{
    top = v;
    return PLUMB_OK;
}

#ifdef REAL_ARGUMENT
PLUMB_OP(add, double, x)
{
    return PLUMB_INT((int)x);
}
#endif
#ifdef NO_ANSWER
PLUMB_OP(clear)
{
    top = 0;
}
#endif

PLUMB_OP(pop)
{
    int v = top;
    top = 0;
#ifdef WRONG_RESULT
    if (!v)
        return PLUMB_OK;
#elif defined BARE_RESULT
    if (v)
        return v;
#elif defined POINTER_RESULT
    return &top;
#endif
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}
#endif

#ifdef NOT_OF_THE_SPECIFICATION
PLUMB_OP(depth)
{
    return PLUMB_INT(top != 0);
}
#endif

#ifdef NOT_ITS_ARGUMENTS
PLUMB_OP(peek, int, depth)
{
    return PLUMB_INT(depth);
}
#endif

#ifdef NO_SUCH_OBJECT
PLUMB_OP_ON(other, pop)
{
    return PLUMB_NONE;
}
#endif

#ifdef TRY_NOTHING
PLUMB_TRY(psh, 1)
#endif
#ifdef TRY_TEXT
PLUMB_TRY(push, "one")
#endif
#ifdef WRONG_TEST
PLUMB_TEST("push(1) | pip")
#endif

#ifdef CRASH
PLUMB_SETUP()
{
    *(volatile int *)8 = 1;
}
#endif

#ifdef NO_C
int nothing = ;
#endif
