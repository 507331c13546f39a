// SPDX-License-Identifier: Apache-2.0
// Does what its environment says, for tests/scripts/annotated_steps.py: calls within calls, operations, and annotations in any order.
// STEPS: of one thread after the other, divided by '|'. QUESTION: two calls; the first has to be before the second.
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LOCATIONS = 3 };

static atomic_int cells[LOCATIONS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *next;
static int calls, earlier = -1, later = -1;
static jmp_buf out;

static void run_steps(void);

/** @Structure_Define:
    @DeclareVar: bool done[16];
    @DefineFunc: bool agrees(int number) { return number != later || done[earlier]; } */

/** @Interface: Outer
    @Ordering_Point_Set: Point
    @SideEffect: done[number] = true;
    @PostCondition: agrees(number) */
static void outer(int number)
{
    (void)number;
    run_steps();
}

/** @Interface: Both
    @Ordering_Point_Set: Point | Other
    @SideEffect: done[number] = true;
    @PostCondition: agrees(number) */
static void both(int number)
{
    (void)number;
    run_steps();
}

// An operation, or what ends a call; false: it is another kind of step.
static bool operate(char step)
{
    int cell = *next - '0';
    switch (step) {
    case 's': atomic_store(&cells[cell], 1); break;
    case 'l': (void)!atomic_load(&cells[cell]); break;
    case 'u': atomic_fetch_add(&cells[cell], 1); break;
    case 'm':
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        break;
    case 'e': pthread_exit(NULL);
    case 'j': longjmp(out, 1);
    default: return false;
    }
    next += step != 'm';
    return true;
}

static void annotate(char step)
{
    (void)step;
    /** @Potential_Ordering_Point: step == 'p'
        @Label: Kept */
    /** @Potential_Ordering_Point: step == 'q'
        @Label: Kept_Too */
    /** @Ordering_Point_Check: step == 'c'
        @Potential_Ordering_Point_Label: Kept
        @Label: Point */
    /** @Ordering_Point_Check: step == 'd'
        @Potential_Ordering_Point_Label: Kept_Too
        @Label: Other */
    /** @Ordering_Point_Label_Check: step == 'h'
        @Label: Point */
    /** @Ordering_Point_Label_Check: step == 'o'
        @Label: Other */
    /** @Ordering_Point_Clear: step == 'x'
        @Label: Point */
    /** @Ordering_Point_Clear: step == 'y'
        @Label: Other */
}

static void run_steps(void)
{
    for (char step; (step = *next) && step != '|';) {
        next++;
        if (step == ')')
            return;
        if (step == '(')
            outer(calls++);
        else if (step == '[')
            both(calls++);
        else if (!operate(step))
            annotate(step);
    }
}

static void *thread(void *unused)
{
    if (!setjmp(out))
        run_steps();
    else
        run_steps(); // behind the jump
    return unused;
}

int main(void)
{
    const char *question = getenv("QUESTION");
    next = getenv("STEPS");
    if (question)
        earlier = question[0] - 'a', later = question[1] - 'a';
    for (;;) {
        pthread_t t;
        pthread_create(&t, NULL, thread, NULL);
        pthread_join(t, NULL);
        while (*next && *next != '|')
            next++;
        if (!*next++)
            return 0;
    }
}
