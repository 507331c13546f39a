/* The set-up waits for what nobody does. */
#include <plumb.h>
#include <semaphore.h>
static sem_t never;

PLUMB_OBJECT()
PLUMB_SETUP()
{
    sem_init(&never, 0, 0);
    sem_wait(&never);
}
PLUMB_OP(get)
{
    return PLUMB_OK;
}
