/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --test 'acquire release | acquire release' */
/* note: from 0 permits, the usual start, neither thread could go on */
#include <plumb.h>
#include <semaphore.h>
static sem_t s;
PLUMB_OBJECT(semaphore(1))
PLUMB_SETUP()
{
    sem_init(&s, 0, 1);
}
PLUMB_OP(acquire)
{
    sem_wait(&s);
    return PLUMB_OK;
}
PLUMB_OP(release)
{
    sem_post(&s);
    return PLUMB_OK;
}
