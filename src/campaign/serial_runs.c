/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/serial_runs.h"

#include "base/text.h"
#include "explain/program/explain_error.h"
#include "campaign/campaign_run.h"
#include "spec/serial/observations.h"
#include "spec/serial/serial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file without a name: other processes reach it by way of this one, and it is gone with it. */
static bool make_file(char *path, size_t size)
{
    int fd = memfd_create("serial histories", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    snprintf(path, size, "/proc/%d/fd/%d", (int)getpid(), fd);
    return true;
}

void serial_runs_ask(struct worker_config *config)
{
    static char path[PROTOCOL_PATH];
    if (*config->serials_in || *config->serials_out)
        return;
    if (*path || make_file(path, sizeof path))
        memcpy(config->serials_out, path, sizeof path);
}

const struct plumb_spec *serial_runs_spec(const struct worker_config *config, struct history *h,
                                          struct diagnostic *d)
{
    static struct serials serials; /* those read last */
    static struct arena names;
    const char *path = *config->serials_in ? config->serials_in : config->serials_out;
    struct text all = {0};
    serials_free(&serials);
    arena_free(&names);
    serials_init(&serials, h->values);
    bool fine = text_add_file(&all, path) ||
                diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot read '%s': %s", path, strerror(errno));
    fine = fine && observations_read(&serials, false, &names, all.data, all.len, d);
    text_free(&all);
    if (!fine)
        return NULL;
    serials_fold(&serials);
    return spec_derived(&serials, h);
}

/* ------------------------------------------------------------------ golden implementations */

struct target_program *golden_build(const struct golden *golden, const struct target_source *source,
                                    struct diagnostic *why)
{
    struct target_source other = *source;
    struct text define = {0};
    struct text undefine = {0}; /* or the compiler warns of a macro that FLAGS define, too */
    const char **flags = NEW_ARRAY(const char *, source->flag_count + 2);
    for (size_t i = 0; i < source->flag_count; i++)
        flags[i] = source->flags[i];
    if (golden->define) {
        text_printf(&undefine, "-U%.*s", (int)strcspn(golden->define, "=("), golden->define);
        text_printf(&define, "-D%s", golden->define);
        flags[other.flag_count++] = undefine.data;
        flags[other.flag_count++] = define.data;
    }
    other.flags = flags;
    if (golden->file) {
        other.files = &golden->file;
        other.file_count = 1;
    }
    struct target_program *program = target_build(&other, why);
    free(flags);
    text_free(&define);
    text_free(&undefine);
    return program;
}

/* Nondeterminism of a golden implementation is what it says: any of its answers will do. */
static bool has_serials(const struct target_worker *worker, struct diagnostic *why)
{
    const struct target_end *end = target_end_of(worker);
    const struct worker_shared *s = target_shared(worker);
    if (end->outcome == TARGET_FINISHED && s->limits & ~(uint32_t)LIMITS_NAMED_ONLY)
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "the golden implementation: not all of its serial executions could be run");
    if (end->outcome == TARGET_FINISHED ||
        (end->outcome == TARGET_FOUND && s->error.kind == WORKER_ERROR_NONDETERMINISTIC))
        return true;
    if (end->outcome == TARGET_FOUND) {
        char *place = error_place(s);
        diagnostic_set(why, PL_USAGE, 0, 0, "the golden implementation is wrong: %s%s%s: %s",
                       error_text(s->error.kind), place ? " at " : "", place ? place : "", s->error.message);
        free(place);
        return false;
    }
    campaign_mistake(why, "", worker);
    return diagnostic_set(why, PL_USAGE, why->line, 0, "the golden implementation: %s", end->message);
}

bool golden_run(const struct target_program *golden, struct worker_config *config, struct diagnostic *why)
{
    struct target_run run = {.config = *config};
    struct target_watch watch = {.stall_seconds = campaign_stall_seconds(config)};
    run.config.serial = SERIAL_ALL;
    run.config.order_count = 0;      /* places of another program */
    run.config.mode = WORKER_RANDOM; /* nothing but serial executions is run */
    if (!*run.config.memory)         /* if it starts threads, all its answers are wanted */
        snprintf(run.config.memory, sizeof run.config.memory, "sc");
    if (!*run.config.serials_out && !make_file(run.config.serials_out, sizeof run.config.serials_out))
        return diagnostic_set(why, PL_NO_MEMORY, 0, 0, "no memory for serial histories");
    struct target_worker *worker = target_start(golden, &run, why);
    bool fine = worker != NULL;
    if (fine) {
        target_wait(&worker, 1, &watch);
        fine = has_serials(worker, why);
        memcpy(config->serials_in, run.config.serials_out, sizeof config->serials_in);
        config->serials_out[0] = 0;
    }
    target_free(worker);
    return fine;
}

bool golden_serial_runs(const struct golden *golden, const struct target_source *source,
                        struct worker_config *config, struct diagnostic *why)
{
    struct target_program *program = golden_build(golden, source, why);
    bool fine = program && golden_run(program, config, why);
    target_program_free(program);
    return fine;
}

bool campaign_own_test(const struct target_program *program, const struct campaign_options *options,
                       const char *name, char test[static PROTOCOL_TEST], struct diagnostic *why)
{
    struct target_run run = campaign_plan(options, 0);
    struct target_watch watch = {.stall_seconds = campaign_stall_seconds(&run.config)};
    run.config.list = LIST_TEST;
    struct target_worker *worker = target_start(program, &run, why);
    if (!worker)
        return false;
    target_wait(&worker, 1, &watch);
    bool finished = target_end_of(worker)->outcome == TARGET_FINISHED;
    if (finished)
        memcpy(test, target_shared(worker)->config.test, PROTOCOL_TEST);
    else
        campaign_mistake(why, name, worker);
    target_free(worker);
    return finished;
}
