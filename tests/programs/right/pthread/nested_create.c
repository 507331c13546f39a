/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: threads made by threads; each creator joins its own */
#include <assert.h>
#include <pthread.h>

static int depth;

static void *nest(void *arg)
{
    int level = *(int *)arg;
    depth++;
    if (level > 0) {
        pthread_t t;
        int below = level - 1;
        pthread_create(&t, NULL, nest, &below);
        pthread_join(t, NULL);
    }
    return NULL;
}

int main(void)
{
    int levels = 3;
    nest(&levels);
    assert(depth == 4);
    return 0;
}
