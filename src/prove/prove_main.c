/* SPDX-License-Identifier: Apache-2.0 */
/* The process in which a harness is proved, from its start to its answer. */
#include "base/budget.h"
#include "base/check.h"
#include "prove/prove_again.h"
#include "prove/prove_answer.h"
#include "prove/prove_counters.h"
#include "prove/prove_harness.h"
#include "prove/hung/prove_hung.h"
#include "prove/prove_serial.h"
#include "prove/prove_steps.h"
#include "prove/prove_system.h"
#include "refine/refine.h"
#include "spec/roles.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/single_threaded.h>
#include <signal.h>

struct prove prove;

/* The last search found no wrong answer, but states from which nothing returns; this one asks whether operations may wait there. */
static bool looks_for_hung;

#define EXPORT __attribute__((visibility("default")))

static bool map_shared(void)
{
    const char *number = getenv(PROVE_VARIABLE);
    if (!number)
        return false;
    void *memory =
        mmap(NULL, sizeof(struct prove_shared), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(number), 0);
    if (memory == MAP_FAILED || ((struct prove_shared *)memory)->magic != PROVE_MAGIC)
        return false;
    prove.shared = memory;
    sign_off_take(&prove.shared->sign_off);
    prove.program.uses = prove.shared->uses;
    return true;
}

/* Before the program's own constructors. */
__attribute__((constructor)) static void take_over(void)
{
    if (!map_shared())
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    Dl_info here, there;
    void *found = dlsym(RTLD_DEFAULT, "main"); /* the library's own, unless the program has one */
    if (found && dladdr((void *)prove_enter, &here) && dladdr(found, &there) &&
        here.dli_fbase != there.dli_fbase)
        prove_refuse(
            "the program has a main function: what is proved is a harness, operations without tests");
    __libc_single_threaded = false; /* libstdc++ has other code for a program with one thread */
    prove.threads = prove.shared->question.threads;
    prove_memory_open();
    prove_program_open();
}

/* --- a search ------------------------------------------------------------------------------------------------------------ */

static void show_progress(void *context, uint64_t pairs, uint64_t frontier, double seconds)
{
    (void)context, (void)seconds;
    prove.shared->pairs = pairs;
    prove.shared->frontier = frontier;
}

static bool time_is_up(void)
{
    double deadline = prove.shared->question.deadline;
    return deadline > 0 && base_now() > deadline;
}

static struct refine_settings settings_of(void)
{
    static const double least = 1e-3;
    const struct prove_question *q = &prove.shared->question;
    struct refine_settings s = {
        .spec = prove_harness.spec,
        .quasi = *q->quasi ? q->quasi : NULL,
        .capacity = prove_harness.capacity,
        .full = prove_harness.capacity ? REFINE_FULL_CAPACITY : (enum refine_full)q->full,
        .free_values = prove_harness.free_values,
        .plain = q->plain,
        .jobs = 1,
        .memory_limit = q->memory_limit,
        .stop = &prove_search.stop,
        .progress = show_progress,
    };
    double left = q->deadline - base_now();
    s.seconds = q->deadline <= 0 ? 0 : left > least ? left : least;
    return s;
}

static void add_numbers(const struct refine_result *r)
{
    struct prove_shared *s = prove.shared;
    s->pairs = r->pairs;
    s->states = r->states;
    s->transitions = r->transitions;
    s->images = intern_count(&prove_search.images.tuples);
    s->twins = prove_search.twins;
    s->peak_bytes = r->peak_bytes + prove_images_footprint(&prove_search.images);
    s->full_was_free |= r->full_was_free;
    s->has_cut |= prove_search.has_cut;
}

/* Perhaps there is no end. */
static void say_limit(const char *limit)
{
    prove_say(PROVE_INCONCLUSIVE, limit);
    prove.shared->growing = prove_lines_growing(&prove.shared->growing_values);
}

static void conclude(const struct refine_result *r)
{
    struct prove_search *s = &prove_search;
    bool is_fault =
        r->reason == REFINE_MODEL_FAULT && r->run.len && vec_last(&r->run).step.kind == REFINE_FAULT;
    if (table_met_unknown() && !(r->verdict == VERDICT_VIOLATED && is_fault))
        prove_say(PROVE_INCONCLUSIVE, "serial runs were not followed so far as they are needed");
    else if (r->verdict == VERDICT_VIOLATED)
        prove_answer_violated(r);
    else if (s->is_unsure)
        prove_say(PROVE_INCONCLUSIVE, s->why);
    else if (r->verdict == VERDICT_INCONCLUSIVE)
        say_limit(prove.shared->stop && time_is_up() ? "the time is up" : r->limit);
    else
        prove_say(PROVE_HOLDS, "");
}

/* What was found to be used is, from now on. */
static void take_uses(void)
{
    struct prove_program *p = &prove.program;
    for (size_t i = 0; i < p->globals_size / PROVE_WORD; i++)
        p->uses[i] |= p->new_uses[i];
    p->has_new_uses = false;
}

/* A walk without aim: which words threads use is mostly known after it, and the search begins with that. */
static void look_for_uses(const struct refine_system *system)
{
    enum { STEPS = 300 };
    OWNED uint8_t *state = NEW_ARRAY(uint8_t, system->state_size);
    struct refine_steps steps = {0};
    uint32_t seed = 1;
    system->initial(system, state);
    for (unsigned i = 0; i < STEPS; i++) {
        refine_steps_clear(&steps);
        system->steps(system, state, &steps);
        prove_merge_take();
        if (!steps.steps.len)
            break;
        seed = seed * 1664525 + 1013904223;
        size_t chosen = (seed >> 8) % steps.steps.len;
        if (steps.steps.data[chosen].kind == REFINE_FAULT || steps.steps.data[chosen].kind == REFINE_STUCK)
            break;
        memcpy(state, steps.states.data + chosen * system->state_size, system->state_size);
        if (steps.steps.data[chosen].kind == REFINE_CALL)
            prove_system_choose(state);
    }
    refine_steps_free(&steps);
}

static uint32_t first_distance(void)
{
    enum { DISTANCE_FIRST = 2 };
    const struct prove_question *q = &prove.shared->question;
    return q->distance ? q->distance : DISTANCE_FIRST;
}

/* Blocks at a larger distance from threads are kept in the next search; false: there are none. */
static bool keep_more(void)
{
    enum { FAR = 16 };
    if (prove.shared->question.distance || prove.distance == PROVE_ANY_DISTANCE)
        return false;
    prove.distance = prove.distance >= FAR ? PROVE_ANY_DISTANCE : 2 * prove.distance;
    return true;
}

/* There is no step with which walks agree: the search goes on, because a violation is one anyway. */
static char unlike_walks[PROVE_MESSAGE];

/* The first step of counters, from the present one on, with which walks agree. */
static void find_step(const struct prove_form *start)
{
    bool has_more = prove.shared->question.shift_count && !*unlike_walks;
    while (has_more && !prove_walks_agree(start)) {
        has_more = prove_counters_step_more();
        if (!has_more) {
            snprintf(unlike_walks, sizeof unlike_walks, "%s", prove.problem);
            prove_counters_step_least();
        }
    }
}

/* Does it depend on which numbers items are? */
static void try_items(const struct prove_form *start)
{
    if (!prove.shared->question.no_twins && !*unlike_walks && !prove_items_agree(start))
        snprintf(unlike_walks, sizeof unlike_walks, "%s", prove.problem);
}

/* With a larger step of counters: a violation may be one of the step. */
static bool steps_more(void)
{
    return !*unlike_walks && prove_search.has_unlike_twin && !prove.shared->stop &&
           prove_counters_step_more();
}

/* What is dead may have been taken for live, such as a half of an address: once more with all that frames have. */
static bool drops_liveness(const struct refine_result *r)
{
    struct prove_shared *s = prove.shared;
    bool drops = prove_search.has_unlike_twin && r->verdict != VERDICT_VIOLATED && !s->question.no_liveness &&
                 !s->question.shift_count && !s->stop;
    if (drops) {
        s->question.no_liveness = PROVE_LIVENESS_DROPPED;
        prove_search.twins = 0; /* they did not agree */
        s->place_count = s->call_count = 0;
    }
    return drops;
}

static bool has_hung(const struct refine_result *r)
{
    return r->verdict == VERDICT_HOLDS && !looks_for_hung && !prove_search.is_unsure &&
           prove_system_find_hung();
}

/* Each access is a step again, unless it is to a constant. */
static void forget_users(void)
{
    struct prove_program *p = &prove.program;
    take_uses();
    p->tells_threads = false;
    for (size_t i = 0; i < p->globals_size / PROVE_WORD; i++)
        p->uses[i] = p->uses[i] & PROVE_WRITERS ? PROVE_WRITERS : 0;
    memset(p->new_uses, 0, p->globals_size / PROVE_WORD);
}

static bool may_merge(void)
{
    const struct prove_question *q = &prove.shared->question;
    return !q->tso && !q->no_merging && !q->plain;
}

/* Steps of several accesses are for proofs: whatever else is found, a search in which every access is a step has the last word, and the shortest run. */
static bool stops_merging(const struct refine_result *r)
{
    bool is_in_doubt = r->verdict == VERDICT_VIOLATED || prove_search.is_unsure || table_met_unknown();
    if (!prove.merges || !is_in_doubt || prove.shared->stop)
        return false;
    prove.merges = looks_for_hung = false;
    table_forget_unknown();
    forget_users();
    prove.distance = first_distance();
    return true;
}

/* With the roles as they are now; again where words turn out to be used by others than was thought. */
static void search(void)
{
    static struct prove_form start;
    static struct prove_names names;
    for (uint32_t t = 0; t < prove.threads; t++)
        names.place[t] = (uint8_t)t;
    if (prove_form_write(&start, &names, &prove_dialects[0]) != PROVE_FINE) {
        prove_say(PROVE_INCONCLUSIVE, prove.problem);
        return;
    }
    looks_for_hung = false;
    prove.merges = may_merge();
    prove.program.tells_threads = prove.merges && prove.program.knows_threads;
    look_for_uses(prove_system_begin());
    for (bool again = true, is_first = true; again; is_first = false) {
        struct refine_result r = {0};
        struct diagnostic d = {0};
        take_uses();
        prove_merge_take();
        prove.met_poison = false;
        prove.shared->attempts++;
        find_step(&start);
        if (is_first)
            try_items(&start);
        prove_form_read(&start, &prove_dialects[0]);
        const struct refine_system *system = prove_system_begin();
        if (*unlike_walks)
            prove_be_unsure(unlike_walks);
        prove_search.reports_hung = looks_for_hung;
        if (!looks_for_hung)
            prove_hung_clear();
        struct refine_settings settings = settings_of();
        if (!refine_check(system, &settings, &r, &d))
            prove_refuse("%s", d.message);
        add_numbers(&r);
        again = (prove.program.has_new_uses || prove_merge_has_new() || (prove.met_poison && keep_more())) &&
                r.verdict != VERDICT_VIOLATED && !prove.shared->stop;
        again |= steps_more() || drops_liveness(&r);
        if (!again && has_hung(&r))
            again = looks_for_hung = true;
        else if (!again && stops_merging(&r))
            again = true;
        else if (!again)
            conclude(&r);
        refine_result_free(&r);
    }
    prove_form_read(&start, &prove_dialects[0]);
    prove_form_free(&start);
    start = (struct prove_form){0};
}

/* Where there are not enough, one more: that of threads without a role, if there is anything for them to call. */
static unsigned count_roles(void)
{
    const struct prove_harness *h = &prove_harness;
    bool is_short = h->single_roles == (UINT32_C(1) << h->role_count) - 1 && prove.threads > h->role_count;
    for (unsigned op = 0; op < prove_operation_count && is_short; op++)
        if (prove_operations[op].roles == ROLES_ANY)
            return h->role_count + 1;
    return h->role_count;
}

/* Threads have one role each, in the order of roles: all choices, but for names of threads. */
static void search_roles(unsigned thread, unsigned role)
{
    const struct prove_harness *h = &prove_harness;
    if (thread == prove.threads || thread == PROVE_THREADS_MAX) {
        search();
        return;
    }
    for (unsigned count = count_roles(); role < count; role++) {
        prove_role_of[thread] = 1u << role;
        search_roles(thread + 1, role + (h->single_roles >> role & 1));
        if (prove.answer != PROVE_HOLDS && prove.answer != PROVE_NO_ANSWER)
            return;
    }
}

static void answer_question(void)
{
    double started = base_now();
    prove.distance = first_distance();
    if (prove_harness.role_count)
        search_roles(0, 0);
    else
        search();
    if (prove.answer == PROVE_NO_ANSWER)
        prove_say(PROVE_INCONCLUSIVE, "there are fewer roles (PLUMB_ROLE) than threads");
    prove.shared->distance = prove.distance;
    prove.shared->shift_by = prove_counters_step();
    prove.shared->seconds = base_now() - started;
}

/* --- the process ------------------------------------------------------------------------------------------------------------ */

static void replay(void)
{
    prove.state.serials = prove.state.block_count;
    for (uint32_t i = 0; i < prove.state.block_count; i++)
        prove.state.blocks[i].serial = i;
    bool fine = prove_run_events(NULL);
    prove_say(fine ? PROVE_VIOLATED : PROVE_INCONCLUSIVE,
              fine && prove.shared->reason != PROVE_A_FAULT && prove.shared->reason != PROVE_STUCK
                  ? ""
                  : prove.problem);
}

static void run_serially(void)
{
    const char *why = prove_serial_runs();
    prove_say(why ? PROVE_INCONCLUSIVE : PROVE_HOLDS, why ? why : "");
}

/* Threads that constructors started would run beside the search. */
static void refuse_threads(void)
{
    unsigned count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *e; tasks && (e = readdir(tasks));)
        count += *e->d_name != '.';
    if (tasks)
        closedir(tasks);
    if (count > 1)
        prove_refuse("the program starts threads before its operations are called");
}

/* A harness has no main function. */
EXPORT int main(void)
{
    if (!prove.shared) {
        fputs("This is a harness: run it with 'plumb prove'.\n", stderr);
        return 2;
    }
    refuse_threads();
    bool is_serial = prove.shared->question.mode == PROVE_SERIAL;
    prove_watch_open();
    if (is_serial)
        prove_harness_open_serial();
    else
        prove_harness_open();
    prove.shared->phase = PROVE_RUNNING;
    if (!is_serial && prove_harness.spec->thread_matters)
        prove.program.knows_threads = true;
    enum prove_outcome outcome = prove_harness_begin();
    if (prove.shared->question.mode == PROVE_SEARCH)
        prove_counters_begin();
    prove_program_keep();
    prove_globals_begin();
    prove.is_searching = true;
    if (outcome != PROVE_FINE)
        prove_say(PROVE_INCONCLUSIVE, prove.problem);
    else if (is_serial)
        run_serially();
    else if (prove.shared->question.mode == PROVE_REPLAY)
        replay();
    else
        answer_question();
    prove_end(PROVE_DONE);
}
