/* SPDX-License-Identifier: Apache-2.0 */
/* Choices and assumptions of the harness. */
#include "native/native.h"

bool native_guard(struct native_thread *t, void (*run)(struct native_thread *))
{
    bool holds = !_setjmp(t->leave);
    if (holds) {
        t->can_leave = true;
        run(t);
    }
    t->can_leave = false;
    return holds;
}

/* A thread of the user cannot be left: it goes on, but the round does not count. */
void plumb_assume(bool holds)
{
    struct native_thread *t = native_self;
    if (holds)
        return;
    atomic_store(&native.abandoned, 1);
    if (native.shared && !atomic_exchange(&native.shared->abandoned, 1))
        native_beat();
    atomic_store(&native.over, 1);
    if (t && t->can_leave)
        _longjmp(t->leave, 1);
}

unsigned plumb_choose(unsigned ways)
{
    static _Thread_local struct native_generator foreign = {{1, 2, 3, 4}};
    struct native_thread *t = native_self;
    return ways < 2 ? 0 : native_below(t ? &t->others : &foreign, ways);
}

unsigned plumb_thread(void)
{
    return native_self ? native_self->number : 0;
}
