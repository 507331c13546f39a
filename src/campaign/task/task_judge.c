/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/task/task_judge.h"

#include "campaign/task/task_property.h"
#include "explain/program/explain_error.h"
#include "target/symbols/symbols.h"

#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ which error answers which property */

static const char reach[] = "reach_error";

/* Is the function on the stack of the thread that met the error? */
static bool is_inside(const struct campaign_error *e, const char *function)
{
    const struct worker_stack *stack = &e->error->stacks[0];
    struct symbols *symbols = explain_symbols(target_shared(e->confirmed.run.again));
    bool found = false;
    for (uint32_t k = 0; k < stack->count && !found; k++) {
        struct symbol_place place = {0};
        symbols_line(symbols, stack->pcs[k], &place);
        found = place.at.function && strcmp(place.at.function, function) == 0;
        for (uint32_t i = 0; i < place.frame_count && !found; i++)
            found = place.frames[i].function && strcmp(place.frames[i].function, function) == 0;
    }
    symbols_close(symbols);
    return found;
}

static const char *race_violates(const struct campaign_error *e)
{
    return e->error->kind == WORKER_ERROR_RACE ? "no-data-race" : NULL;
}

/* The runtime's own reach_error says its name; the program's is on the stack. */
static const char *call_violates(const struct campaign_error *e)
{
    if (e->error->kind != WORKER_ERROR_ASSERT && e->error->kind != WORKER_ERROR_ABORT)
        return NULL;
    return strncmp(e->error->message, reach, sizeof reach - 1) == 0 || is_inside(e, reach) ? "unreach-call"
                                                                                           : NULL;
}

static const char *memory_violates(const struct campaign_error *e)
{
    switch (e->error->kind) {
    case WORKER_ERROR_OUT_OF_BOUNDS:
    case WORKER_ERROR_USE_AFTER_FREE:
    case WORKER_ERROR_USE_AFTER_RETURN: return "valid-deref";
    case WORKER_ERROR_CRASH: return strncmp(e->error->message, "signal 11 ", 10) == 0 ? "valid-deref" : NULL;
    case WORKER_ERROR_DOUBLE_FREE:
    case WORKER_ERROR_BAD_FREE: return "valid-free";
    default: return NULL;
    }
}

/* ------------------------------------------------------------------ properties */

enum { MEMORY_RC11, MEMORY_SC }; /* positions in MODEL_NAMES */

static const struct task_kind {
    const char *name;
    uint32_t asks; /* what property files of this kind may say */
    int memory;
    enum campaign_races races;
    const char *(*violates)(const struct campaign_error *e);
    const char *leaves_open; /* why it is never true; or null */
} kinds[] = {
    {"no-data-race", TASK_ASKS_RACE, MEMORY_RC11, CAMPAIGN_RACES_STOP, race_violates, NULL},
    {"unreach-call", TASK_ASKS_CALL, MEMORY_SC, CAMPAIGN_RACES_ALLOW, call_violates, NULL},
    {"valid-memsafety", TASK_ASKS_FREE | TASK_ASKS_DEREF | TASK_ASKS_MEMTRACK, MEMORY_SC,
     CAMPAIGN_RACES_ALLOW, memory_violates,
     "no error was found, but bounds are not examined through every pointer, nor whether memory that is not "
     "freed is still pointed to"},
};

static const struct task_kind *find_kind(uint32_t asks)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (asks && !(asks & ~kinds[k].asks))
            return &kinds[k];
    return NULL;
}

static void doubt(struct task_judged *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first reason counts. */
static void doubt(struct task_judged *j, const char *format, ...)
{
    va_list args;
    if (j->reason.len)
        return;
    va_start(args, format);
    text_vprintf(&j->reason, format, args);
    va_end(args);
}

/* Does the property ask for this? A file may have one of the formulas of memory safety. */
static bool is_asked(const struct task_property *p, const char *violated)
{
    return (strcmp(violated, "valid-free") != 0 || p->asks & TASK_ASKS_FREE) &&
           (strcmp(violated, "valid-deref") != 0 || p->asks & TASK_ASKS_DEREF);
}

/* ------------------------------------------------------------------ what the text of the program says */

static bool defines_ndebug(const struct task_question *q)
{
    for (size_t k = 0; k < q->flag_count; k++)
        if (strstr(q->flags[k], "NDEBUG"))
            return true;
    return false;
}

/* False: there is nothing to run. */
static bool can_run(const struct task_question *q, const struct task_kind *kind, struct task_judged *j)
{
    const struct task_word *word = q->task->is_ilp32 ? task_words_find_model(q->words) : NULL;
    if (!task_is_in_c(q->task))
        doubt(j, "the program is written in %.40s, and only C is judged", q->task->language);
    else if (q->property->asks == TASK_ASKS_UNREADABLE)
        doubt(j, "the property file '%.200s' cannot be read", q->property->file);
    else if (!kind)
        doubt(j, "this property is not judged");
    else if (word)
        doubt(j,
              "the data model is ILP32, this machine's is LP64, and the program depends on it: '%.*s' in "
              "line %u",
              (int)word->length, word->text, word->line);
    else if (kind->violates == call_violates && !task_words_ends(q->words, reach, defines_ndebug(q)))
        doubt(j, "the program's %s goes on, so a call of it is not seen", reach);
    else if (kind->violates == call_violates && task_words_find(q->words, "__VERIFIER_assert") &&
             !task_words_find(q->words, reach))
        doubt(j, "the program calls __VERIFIER_assert, and nowhere %s", reach);
    return !j->reason.len;
}

/* ------------------------------------------------------------------ one run */

/* Everything that can be tried is; what is saved has the property in its name. */
static void set_options(const struct task_question *q, const struct task_kind *kind, struct task_judged *j)
{
    struct campaign_options *o = &j->campaign.options;
    *o = *q->options;
    o->memory = kind->memory;
    o->races = kind->races;
    o->spurious = o->weak_cas = o->reuse = o->no_repair = true;
    o->uninitialized = 1;
    text_add_name(&j->trace, o->out, q->path, "");
    text_printf(&j->trace, ".%s.plr", kind->name);
    o->trace = o->trace ? o->trace : j->trace.data;
}

/* Functions stay functions, as they are known by name; a pointer in 32 bits is not what it was in ILP32. */
static void add_flags(const struct task_question *q, const char **flags, size_t *count)
{
    flags[(*count)++] = "-fno-inline";
    if (q->task->is_ilp32)
        flags[(*count)++] = "-Werror=pointer-to-int-cast";
    for (size_t k = 0; k < q->flag_count; k++)
        flags[(*count)++] = q->flags[k];
}

/* False: with c->why. The flags live as long as the campaign. */
static bool run(const struct task_question *q, const struct task_kind *kind, bool all_errors,
                struct task_judged *j)
{
    struct campaign *c = &j->campaign;
    const char **flags = NEW_ARRAY(const char *, q->flag_count + 2);
    size_t count = 0;
    add_flags(q, flags, &count);
    set_options(q, kind, j);
    c->options.all_errors = all_errors;
    if (!campaign_options_fit(&c->options, &c->why)) {
        free(flags);
        return false;
    }
    campaign_fold_by_default(&c->options);
    vec_push(&c->files, q->path);
    c->source = (struct target_source){.files = (const char *const *)q->task->files.data,
                                       .file_count = q->task->files.len,
                                       .flags = flags,
                                       .flag_count = count,
                                       .no_annotations = 1,
                                       .silent = true};
    return campaign_decide(c);
}

/* What was saved of errors that answer nothing is not left behind. */
static void remove_traces(const struct task_judged *j)
{
    for (size_t k = 0; k < j->campaign.errors.len; k++)
        if (j->campaign.errors.data[k].trace)
            unlink(j->campaign.errors.data[k].trace);
}

static void forget_run(struct task_judged *j)
{
    if (j->answer != TASK_FALSE)
        remove_traces(j);
    free((void *)j->campaign.source.flags);
    campaign_free(&j->campaign);
    text_clear(&j->trace);
    j->campaign = (struct campaign){0};
}

/* ------------------------------------------------------------------ what came out */

static bool find_violation(const struct task_question *q, const struct task_kind *kind, struct task_judged *j)
{
    for (size_t k = 0; k < campaign_count_confirmed(&j->campaign); k++) {
        const struct campaign_error *e = &j->campaign.errors.data[k];
        const char *violated = kind->violates(e);
        if (q->task->is_ilp32 && e->error->kind == WORKER_ERROR_OUT_OF_BOUNDS)
            continue; /* where objects end depends on their sizes */
        if (!violated || !is_asked(q->property, violated))
            continue;
        j->answer = TASK_FALSE;
        j->violated = violated;
        j->error = e;
        return true;
    }
    return false;
}

/* Errors behind which a thread does nothing any more: no execution is cut by them. */
static bool ends_execution(const struct worker_error *e)
{
    bool is_own =
        strncmp(e->message, "__VERIFIER_", 11) == 0; /* the runtime's, which is no call of reach_error */
    return !is_own && (e->kind == WORKER_ERROR_ASSERT || e->kind == WORKER_ERROR_ABORT ||
                       e->kind == WORKER_ERROR_DEADLOCK || e->kind == WORKER_ERROR_EXIT);
}

static void doubt_errors(struct task_judged *j)
{
    for (size_t k = 0; k < campaign_count_confirmed(&j->campaign); k++) {
        const struct worker_error *e = j->campaign.errors.data[k].error;
        if (!ends_execution(e))
            doubt(j, "another error is in the way: %s", error_text(e->kind));
    }
}

static void doubt_limits(struct task_judged *j)
{
    struct campaign *c = &j->campaign;
    uint32_t named = c->result.limits & LIMITS_NAMED_ONLY & ~(uint32_t)LIMIT_SYMMETRY;
    if (c->verdict != VERDICT_HOLDS && !(c->verdict == VERDICT_VIOLATED && !c->is_partial))
        doubt(j, "%s",
              c->limits.len    ? c->limits.data[0]
              : c->failure.len ? c->failure.data
                               : verdict_name(c->verdict));
    if (c->result.limits & LIMIT_VALUES)
        doubt(j, "of the values that __VERIFIER_nondet functions may return only some were tried");
    for (const char *text; (text = campaign_next_limit(&named));)
        doubt(j, "%s", text);
}

/* Code whose accesses were not seen. */
static void doubt_unseen(struct task_judged *j)
{
    struct campaign *c = &j->campaign;
    struct text t = {0};
    for (uint64_t k = 0; k < c->options.jobs; k++)
        if (c->workers[k])
            unseen_add_worker(&c->scope.unseen, target_shared(c->workers[k]));
    unseen_add_found(&c->scope.unseen, &t);
    if (t.len)
        doubt(j, "%s", t.data + strspn(t.data, "; "));
    text_free(&t);
}

/* An error of another kind may hide the one that is asked about: then all are looked for. */
static bool decide(const struct task_question *q, const struct task_kind *kind, struct task_judged *j)
{
    if (!run(q, kind, false, j))
        return false;
    if (find_violation(q, kind, j))
        return true;
    if (j->campaign.verdict == VERDICT_VIOLATED) {
        forget_run(j);
        if (!run(q, kind, true, j))
            return false;
        if (find_violation(q, kind, j))
            return true;
    }
    doubt_errors(j);
    doubt_limits(j);
    doubt_unseen(j);
    if (kind->leaves_open)
        doubt(j, "%s", kind->leaves_open);
    j->answer = j->reason.len ? TASK_UNKNOWN : TASK_TRUE;
    return true;
}

bool task_judge(const struct task_question *q, struct task_judged *j, struct diagnostic *why)
{
    const struct task_kind *kind = find_kind(q->property->asks);
    *j = (struct task_judged){0};
    if (!can_run(q, kind, j) || decide(q, kind, j))
        return true;
    *why = j->campaign.why;
    if (why->code == PL_BUILD)
        doubt(j, "the program does not build%s: 'plumb check %s' may say why",
              q->task->is_ilp32 ? " for LP64" : "", q->task->files.data[0]);
    return why->code == PL_BUILD;
}

void task_judged_free(struct task_judged *j)
{
    forget_run(j);
    text_free(&j->reason);
    text_free(&j->trace);
}

/* ------------------------------------------------------------------ in words */

void task_add_answer(struct text *out, const struct task_judged *j)
{
    if (j->answer == TASK_FALSE)
        text_printf(out, "false(%s)", j->violated);
    else
        text_puts(out, j->answer == TASK_TRUE ? "true" : "unknown");
}

void task_add_formula(struct text *out, const struct task_judged *j)
{
    bool race = strcmp(j->violated, "no-data-race") == 0, call = strcmp(j->violated, "unreach-call") == 0;
    text_printf(out, "CHECK( init(main()), LTL(G %s) )",
                race   ? "! data-race"
                : call ? "! call(reach_error())"
                       : j->violated);
}

bool task_is_as_expected(const struct task_property *p, const struct task_judged *j)
{
    if (j->answer == TASK_UNKNOWN || p->expected == TASK_EXPECTS_NOTHING)
        return true;
    if ((j->answer == TASK_TRUE) != (p->expected == TASK_EXPECTS_TRUE))
        return false;
    return j->answer == TASK_TRUE || !p->subproperty || strcmp(p->subproperty, j->violated) == 0;
}
