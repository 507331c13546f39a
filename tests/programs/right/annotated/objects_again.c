/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --reuse */
/* note: other objects lie where one was before: variables of a function that is called twice, a block that is used again */
#include <stdatomic.h>
#include <stdlib.h>

/** @Structure_Define:
    @DeclareVar: int value;
    @InitVar: value = 0; */
struct cell {
    atomic_int value;
};

/** @Interface: Put
    @Ordering_Point_Set: Stored
    @SideEffect: value = v; */
static void put(struct cell *c, int v)
{
    atomic_store(&c->value, v);
    /** @Ordering_Point_Label_Check: true
        @Label: Stored */
}

/** @Interface: Get
    @Ordering_Point_Set: Loaded
    @PostCondition: value == __RET__ */
static int get(struct cell *c)
{
    int v = atomic_load(&c->value);
    /** @Ordering_Point_Label_Check: true
        @Label: Loaded */
    return v;
}

static void use(struct cell *c)
{
    atomic_init(&c->value, 0);
    get(c);
    put(c, 3);
    get(c);
}

static void use_variable(void)
{
    struct cell c;
    use(&c);
}

static void use_block(void)
{
    struct cell *c = malloc(sizeof *c);
    use(c);
    free(c);
}

int main(void)
{
    use_variable();
    use_variable();
    use_block();
    use_block();
}
