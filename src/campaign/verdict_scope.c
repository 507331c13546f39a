/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/verdict_scope.h"

#include "base/terminal.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "explain/program/explain_error.h"
#include "spec/serial/serial.h"
#include "target/compilers.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void scope_say(struct verdict_scope *s, enum scope_row row, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    for (size_t k = 0; k < s->rows[row].len; k++)
        if (strcmp(s->rows[row].data[k], t.data) == 0) {
            text_free(&t);
            return;
        }
    vec_push(&s->rows[row], text_take(&t));
}

/* ------------------------------------------------------------------ what a process under test says */

static void say_spec(struct verdict_scope *s, const struct worker_shared *shared, const char *name,
                     int length)
{
    const struct worker_config *c = &shared->config;
    if (strncmp(name, SPEC_DERIVED_NAME, (size_t)length) == 0)
        scope_say(s, SCOPE_JUDGED, "%s",
                  *c->serials_in ? "what the golden implementation answers, one operation after the other"
                                 : "what the operations answer one after the other");
    else
        scope_say(s, SCOPE_JUDGED, "%.*s (%s)", length, name, *c->spec ? "--spec" : "named by the harness");
}

/* A line of `judges` for each object. */
static void say_specs(struct verdict_scope *s, const struct worker_shared *shared)
{
    for (const char *name = shared->judges; *name;) {
        int length = (int)strcspn(name, "\n");
        say_spec(s, shared, name, length);
        name += length + (name[length] == '\n');
    }
}

static void say_answers(struct verdict_scope *s, const struct worker_shared *shared)
{
    const uint32_t room = sizeof shared->answers / sizeof *shared->answers;
    for (uint32_t k = 0; k < shared->answer_count && k < room; k++) {
        const struct worker_answer *a = &shared->answers[k];
        char *place = code_function(shared, a->pc);
        if (a->is_given)
            scope_say(s, SCOPE_NOT_TRIED, "other answers of %.*s (%s)", (int)sizeof a->name, a->name,
                      place ? place : "a library");
        else
            scope_say(s, SCOPE_NOT_EXAMINED, "what %.*s answers (%s)", (int)sizeof a->name, a->name,
                      place ? place : "inline assembly");
        free(place);
    }
    if (shared->answers_lost)
        scope_say(s, SCOPE_NOT_EXAMINED, "what more than %" PRIu32 " of these answer", room);
}

/* What neither the compilers nor the heap nor the list of variables can say. */
static void say_memory_states(struct verdict_scope *s, const struct worker_shared *shared)
{
    scope_say(
        s, SCOPE_NOT_EXAMINED, "%s",
        "in library functions, bounds of members and rows, of string literals, of variable-length arrays, "
        "of parameters (gcc), of "
        "temporaries, of variables in functions that align their stack or wait for a callback, "
        "and of shared libraries' "
        "variables");
    scope_say(
        s, SCOPE_NOT_EXAMINED, "%s",
        "variables of the libraries that their functions use, such as optind and stdout; flags and locales "
        "of std::cout and its kind; how libstdc++ waits in semaphores, latches, barriers and futures, and "
        "how often it looks before std::atomic::wait sleeps "
        "(-DPLUMB_LIBRARY_WAITS)");
    if (shared->variables.count == shared->variables.static_count + shared->variables.thread_count)
        scope_say(s, SCOPE_NOT_EXAMINED, "%s", "bounds of variables on the stack in library functions");
    if (shared->variables.lost)
        scope_say(s, SCOPE_NOT_EXAMINED,
                  "bounds in library functions of variables beyond the first %d of the program, or "
                  "deep in its blocks",
                  VARIABLES_MOST);
    scope_say(s, SCOPE_NOT_EXAMINED, "%s",
              "whether atomic variables on the stack were written: of bool (gcc) or floating point "
              "(clang), or where an earlier call "
              "had others");
    scope_say(s, SCOPE_NOT_EXAMINED, "%s",
              "uses of variables whose function has returned, by their own thread or ordered after the "
              "return, where "
              "their thread has entered another");
}

static void say_synchronization(struct verdict_scope *s, const struct worker_shared *shared)
{
    if (shared->synchronizes)
        scope_say(s, SCOPE_JUDGED, "synchronization of operations%s",
                  shared->config.sync == SYNC_ALL ? ", by all rules (--sync=all)" : "");
    if (*shared->judges && shared->config.sync == SYNC_NONE)
        scope_say(s, SCOPE_NOT_EXAMINED, "synchronization of operations (--sync=none)");
}

static void say_invariants(struct verdict_scope *s, const struct worker_shared *shared)
{
    if (shared->invariants & INVARIANT_STEPS)
        scope_say(s, SCOPE_JUDGED, "the invariant, after every step of a schedule");
    if (shared->invariants & INVARIANT_BETWEEN_CALLS)
        scope_say(s, SCOPE_JUDGED, "the invariant, whenever no call is open");
    if (shared->invariants & INVARIANT_ENDS)
        scope_say(s, SCOPE_JUDGED, "the invariant, at the end of each execution only");
}

void scope_add_worker(struct verdict_scope *s, const struct worker_shared *shared)
{
    say_answers(s, shared);
    say_specs(s, shared);
    say_synchronization(s, shared);
    say_invariants(s, shared);
    say_memory_states(s, shared);
    unseen_add_worker(&s->unseen, shared);
}

/* ------------------------------------------------------------------ what the run says */

static void say_judged(struct verdict_scope *s, const struct scope_facts *f)
{
    const struct campaign_options *o = f->options;
    struct text errors = {0};
    if (s->rows[SCOPE_JUDGED].len && o->quasi)
        scope_say(s, SCOPE_JUDGED, "quasi linearizability, factor %s", o->quasi);
    if (s->rows[SCOPE_JUDGED].len)
        scope_say(s, SCOPE_JUDGED, "%s",
                  o->client > 0 ? "the calls as they stand (--client fixed)"
                                : "for every client that could order the calls further");
    if (o->races != CAMPAIGN_RACES_ALLOW)
        text_puts(&errors, "data races, ");
    text_puts(&errors, "memory errors, deadlocks, failed assertions, crashes, loops without end");
    text_puts(&errors, o->leaks ? ", leaks" : "");
    scope_say(s, SCOPE_JUDGED, "%s", errors.data);
    if (o->progress)
        scope_say(s, SCOPE_JUDGED, "whether threads end when another one stops forever (--progress)");
    text_free(&errors);
}

void scope_say_model(struct verdict_scope *s, const struct memory_model *m)
{
    scope_say(s, SCOPE_MEMORY, "%s%s%s%s", m->name, m->stores_continue ? " (release sequences of C11)" : "",
              m->leaves_out ? ", without " : "", m->leaves_out ? m->leaves_out : "");
}

static void say_memory(struct verdict_scope *s, const struct scope_facts *f)
{
    const struct campaign_options *o = f->options;
    if (o->mode != WORKER_GRAPH || f->interleaved)
        scope_say(s, SCOPE_MEMORY, "sequentially consistent");
    else
        scope_say_model(s, campaign_model(o));
}

static void say_explored(struct verdict_scope *s, const struct scope_facts *f)
{
    const struct campaign_options *o = f->options;
    if (f->tests)
        scope_say(s, SCOPE_EXPLORED, "%s", f->tests);
    if (o->mode == WORKER_RANDOM || o->mode == WORKER_PCT)
        scope_say(s, SCOPE_EXPLORED, "%" PRIu64 " schedules chosen by %s, seed %" PRIu64, o->runs,
                  o->mode == WORKER_PCT ? "random priorities" : "chance", o->seed);
    else
        scope_say(s, SCOPE_EXPLORED, "%s", o->mode == WORKER_GRAPH ? "every execution" : "every schedule");
    if (o->mode != WORKER_GRAPH && !campaign_goes_on(o))
        scope_say(s, SCOPE_EXPLORED, "threads do not switch at plain accesses%s",
                  o->volatiles ? "" : ", volatile or not");
    if (o->shard.count > 1)
        scope_say(s, SCOPE_EXPLORED, "part %" PRIu64 " of %" PRIu64, o->shard.number + 1, o->shard.count);
    if (f->interleaved)
        scope_say(s, SCOPE_EXPLORED, "interleavings instead of graphs, because of %s", f->interleaved);
}

static void say_bound(struct verdict_scope *s, const struct scope_facts *f, const char *what, uint64_t bound,
                      uint32_t limit)
{
    scope_say(s, SCOPE_BOUNDS, "%s: %" PRIu64 ", %s", what, bound, f->limits & limit ? "met" : "not met");
}

static void say_bounds(struct verdict_scope *s, const struct scope_facts *f)
{
    const struct campaign_options *o = f->options;
    say_bound(s, f, "--steps", o->steps, LIMIT_STEPS);
    if (o->loops)
        say_bound(s, f, "--loops", o->loops, LIMIT_LOOPS | LIMIT_RETURNS);
    else if (f->loops)
        say_bound(s, f, "rounds beyond the first execution's", f->loops, LIMIT_LOOPS);
    if (o->executions)
        say_bound(s, f, "--executions", o->executions, LIMIT_EXECUTIONS);
    if (o->preemptions < UINT32_MAX)
        say_bound(s, f, "--preemptions", o->preemptions, LIMIT_PREEMPTIONS);
}

static void say_assumed(struct verdict_scope *s, const struct scope_facts *f)
{
    const struct campaign_options *o = f->options;
    if (campaign_goes_on(o))
        scope_say(s, SCOPE_ASSUMED, "plain accesses that race behave as relaxed atomics (%s)",
                  o->races == CAMPAIGN_RACES_ALLOW    ? "--races=allow"
                  : o->races == CAMPAIGN_RACES_REPORT ? "--races=report"
                                                      : "--suppress");
    if (o->volatiles)
        scope_say(s, SCOPE_ASSUMED, "volatile accesses are relaxed atomics (--volatile=relaxed)");
    if (o->symmetry)
        scope_say(s, SCOPE_ASSUMED, "no thread orders or hashes addresses of its own (--symmetry)");
    if (o->opaque_items)
        scope_say(s, SCOPE_ASSUMED, "items are handed on and nothing else depends on them (--opaque-items)");
}

static void say_not_tried(struct verdict_scope *s, const struct scope_facts *f)
{
    uint32_t named = f->limits & LIMITS_NAMED_ONLY & ~(uint32_t)LIMIT_SYMMETRY;
    for (const char *text; (text = campaign_next_limit(&named));)
        scope_say(s, SCOPE_NOT_TRIED, "%s", text);
}

/* Plain accesses that are steps are not looked at. */
static void say_uninitialized(struct verdict_scope *s, const struct campaign_options *o)
{
    scope_say(s, SCOPE_NOT_EXAMINED, "%s",
              campaign_goes_on(o) ? "whether what is read plainly was written before"
                                  : "whether what is read plainly from stacks, or by library functions, was "
                                    "written before");
    for (size_t k = 0; k < s->unseen.unwritten.len; k++)
        scope_say(s, SCOPE_NOT_TRIED, "other contents of memory that was never written, read at %s",
                  s->unseen.unwritten.data[k]);
}

static void say_compiled(struct verdict_scope *s, const struct scope_facts *f)
{
    struct text flags = {0};
    text_puts(&flags, compiler_name(target_is_cxx(f->source)));
    for (size_t k = 0; k < f->source->flag_count; k++)
        text_printf(&flags, " %s", f->source->flags[k]);
    if (!f->program || f->program->folder) /* else the user compiled it */
        scope_say(s, SCOPE_COMPILED, "%s", flags.data);
    OWNED char *unshown = f->program ? compiled_unshown(&f->program->record, false) : NULL;
    if (unshown)
        scope_say(s, SCOPE_NOT_EXAMINED, "%s", unshown);
    if (f->program && compiled_memory(&f->program->record))
        scope_say(s, SCOPE_NOT_EXAMINED, "%s", compiled_memory(&f->program->record));
    if (f->program && f->program->record.unheeded)
        scope_say(s, SCOPE_NOT_EXAMINED, "specifications in comments, which were ignored");
    if (f->program && f->program->unfilled)
        scope_say(s, SCOPE_NOT_EXAMINED, "%s",
                  "whether variables on the stack were written before, in files compiled without "
                  "-ftrivial-auto-var-init=pattern");
    if (f->program)
        scope_say(
            s, SCOPE_COMPILED, "%s",
            f->program->compiled
                ? f->program->compiled
                : "every access of the source happens (gcc: but for expressions that its front end folds)");
    text_free(&flags);
}

static void say_unannounced(struct verdict_scope *s, const struct scope_facts *f)
{
    for (size_t k = 0; f->program && k < f->program->record.places.len; k++) {
        const struct compiled_place *place = &f->program->record.places.data[k];
        scope_say(s, SCOPE_NOT_EXAMINED, "%s at %s:%lu", place->kind, place->file, place->line);
    }
}

void scope_add_run(struct verdict_scope *s, const struct scope_facts *f)
{
    for (size_t k = 0; k < s->unseen.list.len; k++)
        scope_say(s, SCOPE_NOT_EXAMINED, "%s: %s", s->unseen.list.data[k].library,
                  s->unseen.list.data[k].function);
    say_uninitialized(s, f->options);
    say_unannounced(s, f);
    say_judged(s, f);
    say_memory(s, f);
    say_explored(s, f);
    say_bounds(s, f);
    say_assumed(s, f);
    say_not_tried(s, f);
    say_compiled(s, f);
}

/* ------------------------------------------------------------------ rendering */

bool scope_belongs(enum verdict verdict)
{
    return verdict != VERDICT_VIOLATED && verdict != VERDICT_NONE;
}

void scope_json(struct json_writer *w, const struct verdict_scope *s)
{
    static const char *const words[] = {
#define X(name, word, text) word,
        SCOPE_ROWS(X)
#undef X
    };
    unseen_add_json(&s->unseen, w);
    json_key(w, "scope"), json_open_object(w);
    for (size_t row = 0; row < SCOPE_ROW_COUNT; row++) {
        if (!s->rows[row].len)
            continue;
        JSON_ARRAY(w, words[row], k, s->rows[row].len)
            json_string(w, s->rows[row].data[k]);
    }
    json_close_object(w);
}

void scope_add_text(struct text *out, const struct verdict_scope *s)
{
    static const char *const words[] = {
#define X(name, word, text) text,
        SCOPE_ROWS(X)
#undef X
    };
    for (size_t row = 0; row < SCOPE_ROW_COUNT; row++) {
        for (size_t k = 0; k < s->rows[row].len; k++) {
            text_printf(out, k ? "; " : "  %s: ", words[row]);
            terminal_add_safe(out, s->rows[row].data[k]);
        }
        text_puts(out, s->rows[row].len ? "\n" : "");
    }
}

void scope_free(struct verdict_scope *s)
{
    for (size_t row = 0; row < SCOPE_ROW_COUNT; row++) {
        for (size_t k = 0; k < s->rows[row].len; k++)
            free(s->rows[row].data[k]);
        vec_free(&s->rows[row]);
    }
    unseen_free(&s->unseen);
}
