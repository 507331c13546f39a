/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_long total;

static void sum(int count, ...)
{
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        atomic_fetch_add(&total, i % 2 ? (long)va_arg(list, double) : va_arg(list, int));
    va_end(list);
}

static void print_to(char *out, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(out, size, format, list);
    va_end(list);
}

static void *work(void *arg)
{
    char *buffer = alloca(32);
    sum(4, 1, 2.0, 3, 4.0);
    print_to(buffer, 32, "%d-%s", *(int *)arg, "x");
    assert(strlen(buffer) == 3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int one = 1;
    pthread_create(&t, NULL, work, &one);
    work(&one);
    pthread_join(t, NULL);
    assert(total == 20);
    return 0;
}
