/* SPDX-License-Identifier: Apache-2.0 */
/* A relaxed stack: a removal takes any of the FACTOR + 1 items that were on top when the ones before were used up. Every
 * operation is one step between its call and its return.
 *
 * Distance is unkind to stacks: after push 1, push 2, pop = 1 an addition buries the 2 that was overtaken, and no order of
 * removals close enough explains that pop any more. So the plain version is wrong (docs/quasi.md), and it is right
 * with REFUSE, where additions find no room until what was on top is used up.
 *
 * refine: --spec stack --quasi pop=1 : violated
 * refine: -D REFUSE --spec stack --quasi pop=1 : holds
 * refine: -D REFUSE -D FACTOR=2 --spec stack --quasi pop=2 : holds
 * refine: -D REFUSE -D FACTOR=2 --spec stack --quasi pop=1 : violated
 * refine: -D REFUSE --spec stack : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef FACTOR
#define FACTOR 1
#endif
#ifndef CAPACITY
#define CAPACITY 4
#endif

byte cell[CAPACITY];
byte count;
byte open; /* items on top that may be taken; 0: those before were used up */

inline push_item(x)
{
    if
    :: count == CAPACITY -> answer = FULL
#ifdef REFUSE
    :: count < CAPACITY && open > 0 -> answer = FULL
#endif
    :: else -> cell[count] = x; count++; answer = OK
    fi
}

inline pop_item(x)
{
    if
    :: open == 0 -> open = (count > FACTOR -> FACTOR + 1 : count)
    :: else
    fi;
    if
    :: count == 0 -> x = NONE
    :: else ->
        select(i : 1 .. open);
        i = count - i;
        x = cell[i];
        do
        :: i + 1 < count -> cell[i] = cell[i + 1]; i++
        :: else -> break
        od;
        cell[i] = NONE;
        count--;
        open--
    fi
}

active [THREADS] proctype client()
{
    byte item, answer, i;
    do
    :: CALL(push, item);
       atomic { push_item(item); POINT(push, answer) };
       RET(push, answer)
    :: CALL(pop, _);
       atomic { pop_item(item); POINT(pop, item) };
       RET(pop, item)
    od
}
