/* SPDX-License-Identifier: Apache-2.0 */
/* A list with one word for both neighbours. */
#include <plumb.h>
#include <stdint.h>
#include <stdlib.h>
#include <pthread.h>
struct n {
    int v;
    uintptr_t link;
};
static struct n *top;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
PLUMB_OBJECT(stack)
PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&l);
    struct n *x = malloc(sizeof *x);
    x->v = v;
    x->link = (uintptr_t)top ^ (uintptr_t)x;
    top = x;
    pthread_mutex_unlock(&l);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    pthread_mutex_lock(&l);
    plumb_value r = PLUMB_NONE;
    if (top) {
        struct n *x = top;
        r = PLUMB_INT(x->v);
        top = (struct n *)(x->link ^ (uintptr_t)x);
        free(x);
    }
    pthread_mutex_unlock(&l);
    return r;
}
