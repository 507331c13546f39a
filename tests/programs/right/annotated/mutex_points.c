/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --leaks */
/* note: lock and unlock are points; what the specification allocates is no leak of the program */
#include <pthread.h>
#include <stdlib.h>

/** @Structure_Define:
    @DeclareStruct: struct cell { int value; struct cell *next; };
    @DeclareVar: struct cell *first; int count;
    @InitVar: first = NULL; count = 0;
    @DefineFunc: static void push_cell(struct cell **list, int value) {
        struct cell *c = (struct cell *)malloc(sizeof *c); c->value = value; c->next = *list; *list = c; }
    @Happens_Before: Push -> Pop(found) Pop -> Push */
struct stack {
    pthread_mutex_t lock;
    int values[4], count;
};

/** @Interface: Push
    @Ordering_Point_Set: Pushed
    @SideEffect: push_cell(&first, value); count++; */
static void push(struct stack *s, int value)
{
    pthread_mutex_lock(&s->lock);
    /** @Ordering_Point_Label_Check: true
        @Label: Pushed */
    s->values[s->count++] = value;
    pthread_mutex_unlock(&s->lock);
}

/** @Interface: Pop
    @Ordering_Point_Set: Popped
    @HB_Condition: found :: __RET__ != 0
    @SideEffect: if (__RET__) { first = first->next; count--; }
    @PreCondition: __RET__ ? first && first->value == __RET__ : count == 0 */
static int pop(struct stack *s)
{
    pthread_mutex_lock(&s->lock);
    int value = s->count ? s->values[--s->count] : 0;
    pthread_mutex_unlock(&s->lock);
    /** @Ordering_Point_Label_Check: true
        @Label: Popped */
    return value;
}

static struct stack stack = {PTHREAD_MUTEX_INITIALIZER, {0}, 0};

static void *work(void *unused)
{
    (void)unused;
    push(&stack, 1);
    pop(&stack);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    push(&stack, 2);
    pop(&stack);
    pop(&stack);
    pthread_join(a, NULL);
}
