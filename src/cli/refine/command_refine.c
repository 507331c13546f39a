/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb refine`. */
#include "cli/refine/refine_results.h"

#include "base/interruption.h"
#include "base/vec.h"
#include "cli/common/output.h"
#include "cli/common/output_paths.h"
#include "base/shell_word.h"
#include "base/terminal.h"
#include "ownspec/spec_choice.h"
#include "cli/common/spec_guard.h"
#include "cli/common/time_limit.h"
#include "refine/automata/aut.h"
#include "promela/promela.h"
#include "report/prose.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXPORT_STATES_MOST = 20000000, FREE_VALUES_USUAL = 2 };

/* --- progress --------------------------------------------------------------------------------------------------- */

static void show_progress(void *context, uint64_t pairs, uint64_t frontier, double seconds)
{
    (void)seconds;
    const struct refine_run *run = context;
    static double last;
    double now = base_now();
    if (!run->shows_progress || now - last < 0.2)
        return;
    last = now;
    struct text line = {0};
    prose_number(&line, pairs);
    text_puts(&line, " pairs, ");
    prose_number(&line, frontier);
    fprintf(stderr, "\r\033[K%s to go on from, %.0f s", line.data, now - run->started);
    text_free(&line);
}

static void end_progress(const struct refine_run *run)
{
    if (run->shows_progress)
        fputs("\r\033[K", stderr);
}

/* --- files ---------------------------------------------------------------------------------------------------- */

bool refine_is_automaton(const char *path)
{
    size_t length = strlen(path), tail = strlen(".aut");
    return length >= tail && !strcmp(path + length - tail, ".aut");
}

static bool is_file(const char *spec)
{
    return strchr(spec, '/') || strchr(spec, '.');
}

static struct refine_system *load(struct refine_run *run, const char *path, bool sequential)
{
    struct diagnostic d = {0};
    struct refine_options *o = &run->options;
    struct refine_system *s;
    if (refine_is_automaton(path)) {
        s = aut_load(path, &d);
    } else {
        struct promela_settings settings = {
            .defines = o->defines.data, .define_count = (uint32_t)o->defines.len, .sequential = sequential};
        s = promela_load(path, &settings, &d);
    }
    if (!s)
        output_diagnostic(*d.file ? NULL : path, &d);
    return s;
}

static bool load_spec(struct refine_run *run)
{
    struct diagnostic d = {0};
    const char *spec = run->options.spec;
    if (!spec)
        return true;
    if (is_file(spec) && !guard_is_file(spec)) {
        run->spec_system = load(run, spec, !run->options.trace);
        return run->spec_system != NULL;
    }
    if (run->options.trace) {
        output_error(PL_USAGE, "--trace compares two models: --spec has to be a model's file");
        return false;
    }
    run->spec = spec_choice_find(spec, &d);
    if (!run->spec)
        output_diagnostic(NULL, &d);
    return run->spec;
}

/* --- values ---------------------------------------------------------------------------------------------------- */

static bool is_container(const struct plumb_spec *spec)
{
    return spec && (spec->kind == PLUMB_KIND_QUEUE || spec->kind == PLUMB_KIND_STACK ||
                    spec->kind == PLUMB_KIND_PQUEUE);
}

static bool refuse_distinct(void)
{
    return output_error(PL_USAGE, "so distinct values would prove nothing: use --values free:N") ==
           EXIT_HOLDS;
}

static uint32_t find_name(const char *const *names, uint32_t count, const char *name)
{
    uint32_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* With distinct values small answers are taken for items. */
static bool answers_fit(const struct refine_run *run, uint32_t op, struct diagnostic *d)
{
    const struct refine_system *model = run->model, *other = run->spec_system;
    uint32_t number = run->spec ? spec_operation(run->spec, model->ops[op]) : UINT32_MAX;
    if (number != UINT32_MAX)
        return run->spec->operations[number].args[0] || promela_answers_items(model, op, d);
    uint32_t same = other ? find_name(other->ops, other->op_count, model->ops[op]) : 0;
    if (!other || same == other->op_count ||
        (promela_answers_numbers(model, op) && promela_answers_numbers(other, same)))
        return true;
    return promela_answers_items(model, op, d) && promela_answers_items(other, same, d);
}

/* Distinct values need a model that does not look into its items. */
static bool choose_values(struct refine_run *run)
{
    struct refine_options *o = &run->options;
    struct diagnostic d = {0};
    bool ordered = run->spec && run->spec->kind == PLUMB_KIND_PQUEUE;
    bool is_model = !refine_is_automaton(run->path);
    if (!is_model || (!o->values && !is_container(run->spec) && !o->trace))
        o->free_values = o->free_values ? o->free_values : FREE_VALUES_USUAL;
    if (o->free_values)
        return true;
    if (!is_container(run->spec) && !o->trace)
        return output_error(PL_USAGE,
                            "distinct values are for queue, stack and pqueue; use --values free:N") ==
               EXIT_HOLDS;
    const struct refine_system *models[] = {run->model, run->spec_system};
    for (size_t i = 0; i < 1 + (size_t)o->trace; i++) {
        if (refine_is_automaton(models[i]->name)) {
            o->free_values = FREE_VALUES_USUAL;
            return true;
        }
        if (!promela_is_data_independent(models[i], ordered, &d)) {
            output_diagnostic(*d.file ? NULL : models[i]->name, &d);
            return refuse_distinct();
        }
    }
    for (uint32_t op = 0; op < run->model->op_count; op++)
        if (!answers_fit(run, op, &d)) {
            output_diagnostic(*d.file ? NULL : run->path, &d);
            return refuse_distinct();
        }
    return true;
}

static bool check_quasi(const struct refine_run *run)
{
    struct diagnostic d = {0};
    const struct plumb_spec *specs[] = {run->spec};
    if (!run->options.quasi || spec_quasi_check(run->options.quasi, specs, run->spec ? 1 : 0, &d))
        return true;
    output_diagnostic(NULL, &d);
    return false;
}

/* A model in which no operation is ever called would refine everything. */
static bool calls_something(const struct refine_run *run)
{
    if (!run->options.spec || run->model->op_count > 0 || run->options.deadlock)
        return true;
    struct diagnostic d = {0};
    diagnostic_set(&d, PL_MODEL_MEANING, 0, 0,
                   "no operation is called in this model: there is nothing to judge");
    output_diagnostic(run->path, &d);
    return false;
}

/* Without the files that it writes: shown again, it is not to write them again. */
static void note_command(struct refine_run *run, int count, char *const *words)
{
    text_puts(&run->command, "plumb refine");
    for (int i = 0; i < count; i++)
        if (output_is_option(&cli_refine_text, words[i]))
            i += !strchr(words[i], '=');
        else
            shell_add_word(&run->command, words[i]);
}

/* --- exports ------------------------------------------------------------------------------------------------------ */

static enum cli_exit export_system(const struct refine_run *run, const struct refine_system *s,
                                   const char *name)
{
    struct diagnostic d = {0};
    FILE *file = output_open(name);
    if (!file)
        return EXIT_USAGE;
    uint32_t values = run->options.free_values ? run->options.free_values : FREE_VALUES_USUAL;
    if (!aut_export(s, values, EXPORT_STATES_MOST, file, &d)) {
        output_close(file, name);
        output_diagnostic(s->name, &d);
        return d.code == PL_TOO_LARGE ? EXIT_INCONCLUSIVE : EXIT_USAGE;
    }
    return output_close(file, name) ? EXIT_HOLDS : EXIT_USAGE;
}

static enum cli_exit export_spec(const struct refine_run *run)
{
    struct diagnostic d = {0};
    struct refine_object_settings settings = {
        .spec = run->spec,
        .spec_system = run->spec_system,
        .quasi = run->options.quasi,
        .capacity = (uint32_t)run->options.capacity,
        .full = (enum refine_full)run->options.full,
        .model = run->model,
        .free_values = run->options.free_values ? run->options.free_values : FREE_VALUES_USUAL,
    };
    struct refine_system *object = refine_object_new(&settings, &d);
    if (!object) {
        output_diagnostic(NULL, &d);
        return EXIT_USAGE;
    }
    enum cli_exit exit = export_system(run, object, run->options.export_spec);
    object->destroy(object);
    return exit;
}

static enum cli_exit export_all(const struct refine_run *run)
{
    enum cli_exit exit = EXIT_HOLDS;
    if (run->options.export_aut)
        exit = export_system(run, run->model, run->options.export_aut);
    if (exit == EXIT_HOLDS && run->options.export_spec)
        exit = export_spec(run);
    return exit;
}

/* --- the run ---------------------------------------------------------------------------------------------------------- */

static struct refine_settings settings_of(struct refine_run *run)
{
    const struct refine_options *o = &run->options;
    return (struct refine_settings){
        .spec = run->spec,
        .spec_system = run->spec_system,
        .quasi = o->quasi,
        .capacity = (uint32_t)o->capacity,
        .full = (enum refine_full)o->full,
        .reading = (enum refine_reading)o->reading,
        .free_values = o->free_values,
        .deadlock = o->deadlock,
        .use_points = !o->exact,
        .jobs = (uint32_t)(o->jobs ? o->jobs : 1),
        .memory_limit = o->memory_limit ? o->memory_limit : base_memory_there_is() / 2,
        .seconds = o->time,
        .stop = interruption_flag(),
        .progress = show_progress,
        .progress_context = run,
    };
}

static enum cli_exit check_model(struct refine_run *run)
{
    struct diagnostic d = {0};
    struct refine_settings settings = settings_of(run);
    run->started = base_now();
    run->shows_progress = !run->options.quiet && terminal_obeys(STDERR_FILENO);
    interruption_begin();
    bool fine = run->options.trace ? refine_trace(run->model, run->spec_system, &settings, &run->result, &d)
                                   : refine_check(run->model, &settings, &run->result, &d);
    interruption_end();
    end_progress(run);
    if (!fine) {
        output_diagnostic(*d.file ? NULL : run->path, &d);
        return d.code == PL_INTERNAL ? EXIT_BUG : EXIT_USAGE;
    }
    return refine_report(run);
}

static enum cli_exit run_all(struct refine_run *run)
{
    if (refine_options_fit(&run->options) != EXIT_HOLDS ||
        (run->options.json && !output_check(run->options.json)) ||
        !report_files_can_write(&run->options.files))
        return EXIT_USAGE;
    char threads[32];
    if (run->options.threads) {
        snprintf(threads, sizeof threads, "THREADS=%" PRIu64, run->options.threads);
        vec_push(&run->options.defines, threads);
    }
    run->model = load(run, run->path, false);
    if (!run->model || !calls_something(run) || !load_spec(run) ||
        (run->options.spec && !choose_values(run)) || !check_quasi(run))
        return EXIT_USAGE;
    enum cli_exit exit = export_all(run);
    return exit != EXIT_HOLDS || !run->options.spec ? exit : check_model(run);
}

static enum cli_exit run_guarded(void *context)
{
    struct refine_run *run = context;
    guard_begin(run->path, run->options.time, 0, EXIT_HOLDS);
    time_limit_begin(run->options.time, run->path);
    enum cli_exit exit = run_all(run);
    refine_result_free(&run->result);
    if (run->model)
        run->model->destroy(run->model);
    if (run->spec_system)
        run->spec_system->destroy(run->spec_system);
    return exit;
}

enum cli_exit cli_refine(int count, char *const *words)
{
    struct refine_run run = {0};
    struct operand_list inputs = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_refine_text, count, words, &run.options, &inputs, &exit))
        return exit;
    run.path = inputs.data[0];
    note_command(&run, count, words);
    exit = spec_guard_run(&(struct spec_guarded){
        .spec = run.options.spec, .time = run.options.time, .run = run_guarded, .context = &run});
    vec_free(&run.options.defines);
    vec_free(&inputs);
    text_free(&run.command);
    return exit;
}
