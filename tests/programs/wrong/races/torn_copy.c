/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: the copy of a structure is several accesses */
#include <assert.h>
#include <pthread.h>

struct pair {
    long left, right;
};

static struct pair shared;

static void *write_both(void *arg)
{
    struct pair *mine = arg;
    shared = *mine;
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct pair mine = {1, 1}, copy;
    pthread_create(&t, NULL, write_both, &mine);
    copy = shared;
    pthread_join(t, NULL);
    assert(copy.left == copy.right);
    return 0;
}
