/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb stress`: a harness on real threads. */
#include "base/budget.h"
#include "base/interruption.h"
#include "base/terminal.h"
#include "cli/check/check_options.h"
#include "cli/common/output.h"
#include "cli/common/spec_guard.h"
#include "cli/stress/stress_command.h"
#include "target/leftovers.h"

#include <string.h>
#include <unistd.h>

enum { MEMORY_USUAL = 256 << 20, KEY_COUNT_USUAL = 4, HANG_USUAL = 10, HANDOVER_USUAL = 20 };

/* "queue.stress.jsonl" in the folder of --out, or in this one. */
static char *file_for_history(const char *folder, const char *file)
{
    struct text name = {0};
    text_add_name(&name, folder, file, "");
    text_puts(&name, ".stress.jsonl");
    return text_take(&name);
}

static void set_options(struct stress_command *c)
{
    const struct stress_settings *s = &c->settings;
    struct stress_options *o = &c->run.options;
    *o = (struct stress_options){
        .source = c->source,
        .name = c->files.data[0],
        .spec = s->spec,
        .wishes = {.threads = (uint32_t)s->threads,
                   .keys = (uint32_t)s->keys,
                   .noise = (uint32_t)s->noise,
                   .mix = s->mix,
                   .init = s->init},
        .ask = {.init = s->init, .quasi = s->quasi, .memory_limit = s->memory_limit},
        .seed = s->seed,
        .time = s->time,
        .rounds = s->rounds,
        .ops = s->ops == STRESS_OPS_NOT_GIVEN ? STRESS_OPS_USUAL : (int64_t)s->ops,
        .hang = s->hang,
        .raw = s->stamps == 1,
        .record = s->record,
        .save = c->save,
        .listener = {.context = c, .stop = interruption_flag()},
    };
    if (!s->quiet && terminal_obeys(STDERR_FILENO))
        o->listener.beats = stress_show_progress;
}

/* What was found is printed at once: the explorer takes its time. */
static void print_handover(struct stress_command *c)
{
    struct text t = {0};
    stress_hand_over(c);
    stress_add_handover(&t, c);
    if (c->prints && !c->settings.quiet)
        output_text(stdout, &t);
    text_free(&t);
}

static enum cli_exit report(struct stress_command *c)
{
    enum cli_exit exit = cli_exit_of(c->run.result.verdict);
    stress_print(c);
    print_handover(c);
    bool written = (!c->settings.json || stress_write_json(c)) && stress_write_documents(c);
    const struct stress_result *r = &c->run.result;
    written = (!r->record_is_cut || output_lost(c->settings.record, r->record_error)) && written;
    return written ? exit : cli_worse_exit(exit, EXIT_USAGE);
}

static enum cli_exit run_stress(void *context)
{
    struct stress_command *c = context;
    guard_begin(c->files.data[0], 0, 0, EXIT_HOLDS);
    enum cli_exit exit = stress_options_fit(c);
    if (exit != EXIT_HOLDS)
        return exit;
    c->save = file_for_history(c->settings.out, c->files.data[0]);
    c->prints = !c->settings.json || strcmp(c->settings.json, "-") != 0;
    set_options(c);
    leftovers_begin();
    interruption_begin();
    stress_run(&c->run);
    stress_hide_progress();
    if (!c->run.error.code)
        return report(c);
    output_diagnostic(*c->run.error.file ? NULL : c->files.data[0], &c->run.error);
    return cli_exit_of_error(&c->run.error);
}

enum cli_exit cli_stress(int count, char *const *words)
{
    struct stress_command c = {.settings = {.ops = STRESS_OPS_NOT_GIVEN,
                                            .keys = KEY_COUNT_USUAL,
                                            .seed = 1,
                                            .hang = HANG_USUAL,
                                            .handover = HANDOVER_USUAL,
                                            .memory_limit = MEMORY_USUAL},
                               .started = base_now()};
    enum cli_exit exit;
    if (!cli_parse(&cli_stress_text, check_own_words(count, words), words, &c.settings, &c.files, &exit))
        return exit;
    c.source = check_source(&c.files, count, words);
    exit = spec_guard_run(&(struct spec_guarded){.spec = c.settings.spec, .run = run_stress, .context = &c});
    handover_free(&c.handover);
    stress_run_free(&c.run);
    vec_free(&c.files);
    free(c.save);
    return exit;
}
