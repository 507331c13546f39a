/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: every way in which variables on the stack are initialised */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct both {
    atomic_int first;
    atomic_int second;
};

struct all {
    atomic_int initialised, inited, assigned, stored;
    struct both set, copied, zero;
    atomic_char letters[40];
};

static struct both make(void)
{
    return (struct both){.first = 3};
}

static int add_up(struct both b)
{
    return atomic_load(&b.first) + atomic_load(&b.second);
}

static void *look(void *arg)
{
    struct all *a = arg;
    int sum = atomic_load(&a->initialised) + atomic_load(&a->inited) + atomic_load(&a->assigned) +
              atomic_load(&a->stored) + atomic_load(&a->set.second) + atomic_load(&a->copied.second) +
              atomic_load(&a->zero.second);
    for (int k = 0; k < 40; k++)
        sum += atomic_load(&a->letters[k]);
    return sum == 12345 ? arg : NULL;
}

int main(void)
{
    struct both zero = {0}, made = make();
    struct all a = {.initialised = 1, .zero = zero};
    struct all b;
    atomic_int y = 4;
    pthread_t t;
    memset(&b, 0, sizeof b);
    memcpy(&b.copied, &zero, sizeof zero);
    atomic_init(&b.inited, 1);
    b.assigned = 2;
    atomic_store(&b.stored, 3);
    look(&b);
    pthread_create(&t, NULL, look, &a);
    pthread_join(t, NULL);
    return add_up(made) + add_up(zero) + atomic_load(&y) == 3;
}
