/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that decide parts of a history at the same time. They take one number after the other, and leave answers in
 * memory that they share. */
#include "cli/monitor/monitor_options.h"
#include "target/leftovers.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    atomic_uint next;
    uint8_t answers[];
};

static void answer_all(struct shared *s, uint32_t count, monitor_ask *ask, void *argument)
{
    for (uint32_t k; (k = atomic_fetch_add(&s->next, 1)) < count;)
        s->answers[k] = ask(argument, k);
}

/* Waits for its end, or for nothing if it could not be started. */
static void wait_for(pid_t child)
{
    if (child <= 0)
        return;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    leftovers_end_group(child);
}

static void run_processes(const struct monitor_helpers *h, uint32_t count, monitor_ask *ask, void *argument,
                          uint8_t *answers)
{
    size_t size = sizeof(struct shared) + count;
    struct shared *s = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        return;
    VEC(pid_t) children = {0};
    for (uint32_t k = 0; k < h->jobs && k < count; k++) {
        pid_t child = leftovers_fork();
        if (child == 0) {
            answer_all(s, count, ask, argument);
            _exit(0);
        }
        vec_push(&children, child);
    }
    for (size_t k = 0; k < children.len; k++)
        wait_for(children.data[k]);
    memcpy(answers, s->answers, count);
    vec_free(&children);
    munmap(s, size);
}

struct monitor_helpers monitor_processes(uint32_t jobs)
{
    return (struct monitor_helpers){.run = run_processes, .jobs = jobs};
}
