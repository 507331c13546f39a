/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
    (void)arg;
    int *zeroed = calloc(4, sizeof *zeroed);
    assert(zeroed[0] == 0 && zeroed[3] == 0);
    zeroed[3] = 7;
    zeroed = realloc(zeroed, 1000 * sizeof *zeroed);
    assert(zeroed[3] == 7);
    zeroed = realloc(zeroed, 4 * sizeof *zeroed);
    assert(zeroed[3] == 7);
    free(zeroed);
    void *aligned = aligned_alloc(256, 512), *other = NULL;
    assert((uintptr_t)aligned % 256 == 0);
    assert(posix_memalign(&other, 64, 100) == 0 && (uintptr_t)other % 64 == 0);
    memset(aligned, 1, 512);
    free(aligned);
    free(other);
    free(NULL);
    void *fresh = realloc(NULL, 10);
    assert(fresh && (uintptr_t)fresh % 16 == 0);
    free(fresh);
    volatile size_t huge = SIZE_MAX / 2;
    void *volatile refused = calloc(huge, 4);
    assert(refused == NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
