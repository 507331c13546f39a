/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs with at most four sites, whose orders are macros: tests/scripts/orders.py compiles them with every assignment and
 * compares `plumb check` of each with what `plumb orders` says. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef A
#define A memory_order_seq_cst
#endif
#ifndef B
#define B memory_order_seq_cst
#endif
#ifndef C
#define C memory_order_seq_cst
#endif
#ifndef D
#define D memory_order_seq_cst
#endif

static inline void run(void *(*f)(void *), void *(*g)(void *), void *(*h)(void *))
{
    pthread_t t[3];
    void *(*functions[3])(void *) = {f, g, h};
    for (int k = 0; k < 3; k++)
        if (functions[k])
            pthread_create(&t[k], NULL, functions[k], NULL);
    for (int k = 0; k < 3; k++)
        if (functions[k])
            pthread_join(t[k], NULL);
}
