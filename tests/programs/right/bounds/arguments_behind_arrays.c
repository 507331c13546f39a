/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: arguments on the stack lie where variable arrays and blocks of alloca have been */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

struct row {
    long cells[40];
};

static __attribute__((noinline)) void fill(char *to, int size)
{
    memset(to, 1, (size_t)size);
}

static __attribute__((noinline)) long ends(const long *cells)
{
    return cells[0] + cells[39];
}

static __attribute__((noinline)) long by_value(struct row r)
{
    long sum = 0;
    for (int k = 0; k < 40; k++)
        sum += r.cells[k];
    return sum + ends(r.cells);
}

static __attribute__((noinline)) long add(int count, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, count);
    while (count--)
        sum += va_arg(list, long);
    va_end(list);
    return sum;
}

static inline __attribute__((always_inline)) void borrow(int size)
{
    fill(alloca((size_t)size), size);
}

static __attribute__((noinline)) void go_back(jmp_buf place, int depth)
{
    char block[24];
    fill(block, 24);
    if (depth == 0)
        longjmp(place, 1);
    go_back(place, depth - 1);
    fill(block, 3);
}

static void use_all(struct row ones)
{
    assert(by_value(ones) == 42);
    assert(add(16, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L) == 16);
}

static void *work(void *unused)
{
    struct row ones;
    for (int k = 0; k < 40; k++)
        ones.cells[k] = 1;
    for (int n = 1; n < 200; n += 13) {
        {
            char block[n];
            fill(block, n);
        }
        assert(by_value(ones) == 42);
        assert(add(14, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L) == 14);
        borrow(n);
        assert(by_value(ones) == 42);
        use_all(ones);
    }
    return unused;
}

static void *jump(void *unused)
{
    struct row ones;
    jmp_buf place;
    for (int k = 0; k < 40; k++)
        ones.cells[k] = 1;
    char *block = alloca(ones.cells[3] ? 9 : 10);
    fill(block, 9);
    if (!setjmp(place))
        go_back(place, 8);
    assert(by_value(ones) == 42);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, jump, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
