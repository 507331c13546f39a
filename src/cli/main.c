/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/command.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

enum { STACK_NEEDED = 1 << 20, STACK_SIZE = 8 << 20 };

static struct {
    int count;
    char **words;
    enum cli_exit exit;
} command;

static void run(void)
{
    command.exit = cli_main(command.count, command.words);
}

static void *make_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_NEEDED)
        return MAP_FAILED;
    return mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
}

/* Plans of workers lie on the stack, which may be too small for them (ulimit -s). */
int main(int argc, char **argv)
{
    static ucontext_t here, there;
    command.count = argc > 0 ? argc - 1 : 0;
    command.words = argv + 1;
    void *stack = make_stack();
    if (stack == MAP_FAILED || getcontext(&there) != 0) {
        run();
        return command.exit;
    }
    there.uc_stack = (stack_t){.ss_sp = stack, .ss_size = STACK_SIZE};
    there.uc_link = &here;
    makecontext(&there, run, 0);
    swapcontext(&here, &there);
    return command.exit;
}
