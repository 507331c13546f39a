/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_program.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "seal/sealed_memory.h"
#include "target/leftovers.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double LOOK_SECONDS = 0.02; /* the end of a process changes no futex */

static size_t records_size(const struct stress_layout *l)
{
    return (size_t)l->slots * STRESS_BANKS * l->capacity * sizeof(struct stress_record);
}

static size_t areas_size(const struct stress_layout *l)
{
    return (size_t)l->slots * STRESS_BANKS * l->area_size;
}

static bool map_memory(struct stress_program *p, int memory)
{
    void *mapped = mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (mapped == MAP_FAILED)
        return false;
    p->shared = mapped;
    p->shared->magic = STRESS_MAGIC;
    p->shared->size = p->size;
    p->key = sign_off_issue(&p->shared->sign_off);
    p->shared->slots = p->layout.slots;
    p->shared->capacity = p->layout.capacity;
    p->shared->area_size = p->layout.area_size;
    p->shared->records = sizeof(struct stress_shared);
    p->shared->areas = sizeof(struct stress_shared) + records_size(&p->layout);
    return true;
}

/* Of programs with ThreadSanitizer: it ends them in the call that has a race, and does not wait for a second at the end of each
 * round. What the user says comes later, and wins. */
static void set_sanitizer_options(void)
{
    static const char name[] = "TSAN_OPTIONS", ours[] = "halt_on_error=1:atexit_sleep_ms=0";
    const char *own = getenv(name);
    if (own && strncmp(own, ours, sizeof ours - 1) == 0)
        return;
    OWNED struct text all = {0};
    text_printf(&all, "%s:%s", ours, own ? own : "");
    setenv(name, all.data, 1);
}

static bool start(struct stress_program *p, const char *path, int memory)
{
    set_sanitizer_options();
    if (memory < 0 || !map_memory(p, memory))
        return false;
    struct launch launch = {
        .path = path, .given = {memory, -1}, .variable = STRESS_VARIABLE, .first_to_go = true};
    p->pid = launch_program(&launch, &p->output.descriptor);
    return p->pid > 0;
}

bool stress_program_start(struct stress_program *p, const char *path, const struct stress_layout *layout,
                          struct diagnostic *why)
{
    stress_program_free(p);
    *p = (struct stress_program){.layout = *layout, .pid = -1, .output.descriptor = -1};
    p->size = sizeof(struct stress_shared) + records_size(layout) + areas_size(layout);
    int memory = launch_move_up(sealed_memory_create("plumb-stress", p->size));
    bool started = start(p, path, memory);
    int error = errno;
    launch_close(&memory);
    if (started)
        return true;
    stress_program_free(p);
    return diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "cannot start the program: %s", strerror(error));
}

/* What the memory says is believed if it is a process that we started. */
pid_t stress_program_runner(const struct stress_program *p)
{
    pid_t said = (pid_t)atomic_load(&p->shared->slot[0].tid);
    return said > 0 && getsid(said) == p->pid ? said : p->pid;
}

bool stress_program_has_signed(const struct stress_program *p, const void *bytes, size_t size)
{
    const struct sign_off_part part = {bytes, size};
    return sign_off_is_valid(&p->shared->sign_off, p->key, &part, 1);
}

/* ------------------------------------------------------------------ waiting */

static long futex(_Atomic uint32_t *at, int what, uint32_t value, const struct timespec *most)
{
    return syscall(SYS_futex, at, what, value, most, NULL, 0);
}

void stress_program_set(struct stress_program *p, _Atomic uint32_t *word, uint32_t value)
{
    (void)p;
    atomic_store(word, value);
    futex(word, FUTEX_WAKE, INT32_MAX, NULL);
}

bool stress_program_look(struct stress_program *p)
{
    siginfo_t ended;
    if (p->pid <= 0 || p->has_ended)
        return p->has_ended;
    launch_read_output(&p->output);
    if (!launch_has_ended(p->pid, &ended))
        return false;
    bool exited = ended.si_code == CLD_EXITED;
    p->has_ended = true;
    p->exit_code = exited ? ended.si_status : -1;
    p->signal = exited ? 0 : ended.si_status;
    return true;
}

void stress_program_wait(struct stress_program *p, uint32_t seen, double seconds)
{
    double end = base_now() + seconds;
    while (!stress_program_look(p) && atomic_load(&p->shared->beats) == seen) {
        double left = end - base_now();
        if (left <= 0)
            return;
        left = left < LOOK_SECONDS ? left : LOOK_SECONDS;
        struct timespec most = {.tv_nsec = (long)(left * 1e9)};
        if (futex(&p->shared->beats, FUTEX_WAIT, seen, &most) != 0 && errno == EINTR)
            return;
    }
}

/* ------------------------------------------------------------------ the end */

void stress_program_kill(struct stress_program *p)
{
    if (p->pid > 0) {
        stress_program_look(p);
        leftovers_end_group(p->pid);
        launch_read_output(&p->output);
    }
    launch_close(&p->output.descriptor);
    p->pid = -1;
}

void stress_program_free(struct stress_program *p)
{
    if (p->pid > 0)
        stress_program_kill(p);
    if (p->shared)
        munmap(p->shared, p->size);
    text_free(&p->output.text);
    p->shared = NULL;
}

/* ------------------------------------------------------------------ places */

const struct stress_record *stress_program_records(const struct stress_program *p, uint32_t slot,
                                                   uint32_t bank)
{
    const struct stress_record *all =
        (const struct stress_record *)((const char *)p->shared + sizeof(struct stress_shared));
    return all + ((size_t)slot * STRESS_BANKS + bank) * p->layout.capacity;
}

const char *stress_program_area(const struct stress_program *p, uint32_t slot, uint32_t bank)
{
    const char *all = (const char *)p->shared + sizeof(struct stress_shared) + records_size(&p->layout);
    return all + ((size_t)slot * STRESS_BANKS + bank) * p->layout.area_size;
}
