/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: calls that are left by longjmp, or by the end of the thread, have their effect and no postcondition; a type's name is an array */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
static atomic_int cell;

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = 1;
    @PostCondition: 0 */
__attribute__((noinline)) static void put(jmp_buf out)
{
    atomic_store(&cell, 1);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
    longjmp(out, 1);
}

/** @Interface: Add
    @Ordering_Point_Set: Added
    @SideEffect: value += 2;
    @PostCondition: 0 */
static _Noreturn void add_and_leave(void)
{
    atomic_fetch_add(&cell, 2);
    /** @Ordering_Point_Label_Check: true
        @Label: Added */
    pthread_exit(NULL);
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @PostCondition: value == __RET__ */
static int get(void)
{
    int v = atomic_load(&cell);
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
    return v;
}

static void *putter(void *unused)
{
    jmp_buf out;
    if (!setjmp(out))
        put(out);
    return unused;
}

static void *adder(void *unused)
{
    (void)unused;
    add_and_leave();
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, putter, NULL);
    pthread_create(&b, NULL, adder, NULL);
    get();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
