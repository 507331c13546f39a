/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that loses additions, of a library that is found by -I. */
#ifndef CELL
#include <cells/cell.h>
#else
#include CELL
#endif
#include <plumb.h>
static struct cell cell;

PLUMB_OBJECT()
PLUMB_OP(add, int, n)
{
    return PLUMB_INT(cell_add(&cell, n));
}
