/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated condition */
/* note: a function of the specification follows the pointer to a wrong value, which is right when the program ends */
#include <stdatomic.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0;
    @DefineFunc: int same(const int *p) { return *p == value; } */
static atomic_int cell;

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @PostCondition: same(out) */
static void get(int *out)
{
    *out = atomic_load(&cell) + 1;
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
}

int main(void)
{
    int found;
    get(&found);
    found = 0;
}
