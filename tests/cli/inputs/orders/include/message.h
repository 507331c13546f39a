#include <stdatomic.h>

static int message;
static atomic_int ready, one = 1;

static inline int is_ready(void)
{
    return atomic_load(&ready);
}
