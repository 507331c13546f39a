/* SPDX-License-Identifier: Apache-2.0 */
/* ARM-software/progress64, p64_mcas with hazard pointers: two of four cells are changed together. For `plumb stress`; compiled with its own
 * file, p64_errhnd, p64_hazardptr, p64_qsbr, os_abstraction and thr_idx. */
#include <plumb.h>
#include <stdbool.h>

#include <p64_hazardptr.h>
#include <p64_mcas.h>

static p64_mcas_ptr_t cells[4];
static p64_hpdomain_t *pointers;

static void enter(void)
{
    static _Thread_local bool inside;
    if (inside)
        return;
    p64_hazptr_register(pointers);
    p64_mcas_init(4, 2);
    inside = true;
}

static char *read_cell(p64_mcas_ptr_t *cell)
{
    p64_hazardptr_t pointer = P64_HAZARDPTR_NULL;
    char *found = p64_mcas_read(cell, &pointer, true);
    p64_hazptr_release(&pointer);
    return found;
}

PLUMB_OBJECT()
PLUMB_SETUP()
{
    pointers = p64_hazptr_alloc(1, 6);
}
PLUMB_TRY(add_both, 0, 2)
PLUMB_OP(add_both, long, first)
{
    enter();
    p64_mcas_ptr_t *cell[2] = {&cells[first], &cells[first + 1]}, old[2], new[2];
    do {
        for (int i = 0; i < 2; i++)
            new[i] = (char *)(old[i] = read_cell(cell[i])) + 64;
    } while (!p64_mcas_casn(2, cell, old, new, true));
    return PLUMB_OK;
}
