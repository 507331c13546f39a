/* Counts executions in memory that is not put back. */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int *count;

static __attribute__((constructor)) void prepare(void)
{
    count = (atomic_int *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                  -1, 0);
}

int main(void)
{
    assert(atomic_fetch_add(count, 1) < 2);
    return 0;
}
