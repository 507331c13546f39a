/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: what pointers lead to is kept, where they lead somewhere, and found again when it has been freed; null, freed and invalid ones are not followed */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
static atomic_int cell;

/** @Interface: Exchange
    @Ordering_Point_Set: Exchanged
    @SideEffect: value = in;
    @PreCondition: !out || (uintptr_t)out == 64 || *out == -1
    @PostCondition: !out || (uintptr_t)out == 64 || in != 2 || *out == __RET__ */
static int exchange(int in, int *out)
{
    int before = atomic_exchange(&cell, in);
    /** @Ordering_Point_Label_Check: true
        @Label: Exchanged */
    if (in == 2)
        *out = before;
    else if ((uintptr_t)out > 4096)
        free(out);
    return before;
}

static void *work(void *unused)
{
    (void)unused;
    int *p = malloc(sizeof *p);
    *p = -1;
    exchange(1, p);
    int *q = malloc(sizeof *q);
    *q = -1;
    exchange(2, q);
    *q = 18;
    free(q);
    exchange(3, (int *)64);
    return NULL;
}

int main(void)
{
    pthread_t a;
    int local = -1;
    pthread_create(&a, NULL, work, NULL);
    exchange(2, &local);
    local = 17;
    exchange(4, NULL);
    pthread_join(a, NULL);
}
