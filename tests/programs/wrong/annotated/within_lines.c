/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated condition */
/* note: words that follow text in their line */
#include <stdatomic.h>

/** A cell. @Structure_Define: @DeclareVar: int value; @InitVar: value = 0; */
static atomic_int cell;

/** What is in it. @Interface: Get @Ordering_Point_Set: Loaded @PostCondition: __RET__ == value */
static int get(void)
{
    int v = atomic_load(&cell) + 1;
    /* This is it. @Ordering_Point_Label_Check: true @Label: Loaded */
    return v;
}

int main(void)
{
    get();
}
