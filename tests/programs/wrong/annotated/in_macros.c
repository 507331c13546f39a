/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated condition */
/* note: the function and its annotations come from a macro */
#include <stdatomic.h>
#include <stdlib.h> /* has macros with comments of several lines */

/* clang-format off */
#define ZERO 0 /* nothing,
                  so far */
/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = ZERO; */
static atomic_int cell;

#define GETTER(name)                                \
    /** @Interface: Get                             \
        @Ordering_Point_Set: Loaded                 \
        @PostCondition: __RET__ == value */         \
    static int name(void)                           \
    {                                               \
        int v = atomic_load(&cell) + 1;             \
        /** @Ordering_Point_Label_Check: v > ZERO   \
            @Label: Loaded */                       \
        return v;                                   \
    }
GETTER(get)

int main(void)
{
    get();
}
