/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes are known by their distances from a variable. */
#include <plumb.h>
#include <stdint.h>
#include <stdlib.h>
#include <pthread.h>
struct n {
    int v;
    int64_t next;
};
static int64_t top;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
PLUMB_OBJECT(stack)
PLUMB_OP(push, int, v)
{
    pthread_mutex_lock(&l);
    struct n *x = malloc(sizeof *x);
    x->v = v;
    x->next = top;
    top = (char *)x - (char *)&top;
    pthread_mutex_unlock(&l);
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    pthread_mutex_lock(&l);
    plumb_value r = PLUMB_NONE;
    if (top) {
        struct n *x = (struct n *)((char *)&top + top);
        r = PLUMB_INT(x->v);
        top = x->next;
        free(x);
    }
    pthread_mutex_unlock(&l);
    return r;
}
