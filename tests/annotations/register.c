// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>

#define NOTHING 0

struct cell {
    atomic_int value;
};

/** @Structure_Define:
    @DeclareStruct: struct past { int last; };
    @DeclareVar: int v, sets; struct past past;
    @InitVar: v = NOTHING; sets = 0;
    @DefineFunc: int is(int value) { return v == value; }
    @Happens_Before: Set(real) -> Get  Set -> Set */

/** @Interface: Set
    @Ordering_Point_Set: Set_Point
    @HB_Condition: real :: value != NOTHING
    @ID: cell
    @PreCondition: sets < 9
    @SideEffect: past.last = v; v = value; sets++; */
void set(struct cell *cell, int value)
{
    atomic_exchange(&cell->value, value);
    /** @Ordering_Point_Label_Check: 1
        @Label: Set_Point */
}

/** @Interface: Get
    @Ordering_Point_Set: Get_Point | Get_Again
    @ID: cell
    @PostCondition: is(__RET__) */
int get(struct cell *cell)
{
    int found = atomic_load(&cell->value);
    /** @Potential_Ordering_Point: found != NOTHING
        @Label: Maybe */
    if (found == NOTHING) {
        found = atomic_load(&cell->value);
        /** @Ordering_Point_Label_Check: 1
            @Label: Get_Again */
        return found;
    }
    /** @Ordering_Point_Check: 1
        @Potential_Ordering_Point_Label: Maybe
        @Label: Get_Point */
    return found;
}

int main(void)
{
    struct cell cell;
    atomic_init(&cell.value, 0);
    set(&cell, 3);
    return get(&cell) != 3;
}
