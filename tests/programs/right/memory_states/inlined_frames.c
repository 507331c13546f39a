/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Variables are given to functions that are called once, while their own functions have not returned. */
#include <assert.h>
#include <pthread.h>

static void add(int *sum, const int *numbers, int count)
{
    for (int i = 0; i < count; i++)
        *sum += numbers[i];
}

static void swap(int *a, int *b)
{
    int kept = *a;
    int *from = &kept;
    *a = *b;
    *b = *from;
}

static void *run(void *argument)
{
    int numbers[] = {1, 2, 3}, sum = 0;
    swap(&numbers[0], argument);
    add(&sum, numbers, 3);
    assert(sum == 12);
    return argument;
}

int main(void)
{
    int seven = 7;
    pthread_t t;
    pthread_create(&t, 0, run, &seven);
    pthread_join(t, 0);
    assert(seven == 1);
    return 0;
}
