/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: gcc announces both sides of a copy before it copies; here the old content is the same */
#include <assert.h>
#include <pthread.h>

struct pair {
    long left, right;
};

static struct pair shared = {1, 1}, other = {1, 1};

static void *write_both(void *arg)
{
    (void)arg;
    shared = other;
    other.left = 2;
    shared = other;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_both, NULL);
    struct pair copy = shared;
    pthread_join(t, NULL);
    assert((copy.left == 1 || copy.left == 2) && copy.right == 1);
    assert(shared.left == 2 && shared.right == 1);
    return 0;
}
