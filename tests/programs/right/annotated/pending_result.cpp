/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* note: the effect of a call that is left by an exception uses the result that it does not have */
#include <atomic>
#include <stdexcept>

/** @Structure_Define:
    @DeclareVar: int last;
    @InitVar: last = 0; */
static std::atomic<int> cell;

/** @Interface: Take
    @Ordering_Point_Set: Taken
    @SideEffect: last = __RET__; */
static int take()
{
    int found = cell.exchange(1);
    /** @Ordering_Point_Label_Check: true
        @Label: Taken */
    if (found == 0)
        throw std::runtime_error("nothing was there");
    return found;
}

int main()
{
    try {
        take();
    } catch (const std::runtime_error &) {
    }
    take();
}
