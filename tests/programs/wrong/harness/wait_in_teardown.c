/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* flags-plumb: --test 'add(1) | add(2)' */
#include <plumb.h>
#include <semaphore.h>

static sem_t never;

PLUMB_OBJECT(counter)
PLUMB_SETUP()
{
    sem_init(&never, 0, 0);
}
PLUMB_TEARDOWN()
{
    sem_wait(&never);
}
PLUMB_OP(add, int, n)
{
    (void)n;
    return PLUMB_OK;
}
