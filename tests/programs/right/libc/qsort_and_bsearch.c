/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* note: the library calls back into instrumented code, which even switches threads */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int comparisons;

static int compare(const void *a, const void *b)
{
    atomic_fetch_add(&comparisons, 1);
    return *(const int *)a - *(const int *)b;
}

static void *sort(void *arg)
{
    int *v = arg;
    qsort(v, 4, sizeof *v, compare);
    for (int i = 0; i < 3; i++)
        assert(v[i] <= v[i + 1]);
    int key = v[2], *found = bsearch(&key, v, 4, sizeof *v, compare);
    assert(found && *found == key);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int mine[] = {4, 2, 9, 1}, theirs[] = {7, 7, 0, 3};
    pthread_create(&t, NULL, sort, theirs);
    sort(mine);
    pthread_join(t, NULL);
    assert(mine[3] == 9 && theirs[0] == 0 && comparisons > 0);
    return 0;
}
