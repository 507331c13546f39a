/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb prove`: a harness, for any number of calls. */
#include "base/budget.h"
#include "base/interruption.h"
#include "base/terminal.h"
#include "cli/check/check_options.h"
#include "cli/common/output.h"
#include "cli/common/spec_guard.h"
#include "cli/common/time_limit.h"
#include "cli/prove/prove_options.h"
#include "report/prose.h"
#include "target/leftovers.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint64_t MEMORY_USUAL = UINT64_C(2) << 30;
enum { THREADS_USUAL = 2 };

static void show_progress(void *context, uint64_t pairs, uint64_t frontier, double seconds)
{
    const struct prove_command *c = context;
    static double last;
    if (!c->shows_progress || seconds - last < 0.2)
        return;
    last = seconds;
    struct text line = {0};
    prose_number(&line, pairs);
    text_puts(&line, " pairs, ");
    prose_number(&line, frontier);
    text_puts(&line, " to go on from, ");
    prose_number(&line, seconds > 0 ? (uint64_t)((double)pairs / seconds) : 0);
    fprintf(stderr, "\r\033[K%s each second, %.0f s", line.data, seconds);
    text_free(&line);
}

static void copy_name(char *to, const char *from)
{
    snprintf(to, PROVE_NAME, "%s", from ? from : "");
}

static void set_question(struct prove_command *c)
{
    const struct prove_options *o = &c->options;
    struct prove_question *q = &c->proving.question;
    *q = (struct prove_question){.threads = (uint32_t)o->threads,
                                 .inside = (uint32_t)o->inside,
                                 .free_values = (uint32_t)o->values,
                                 .distance = (uint32_t)o->distance,
                                 .shift_by = (uint32_t)o->shift_by,
                                 .stale = (uint32_t)o->stale,
                                 .tso = o->memory == 1,
                                 .no_twins = o->no_twins,
                                 .no_symmetry = o->no_symmetry,
                                 .no_liveness = o->no_liveness,
                                 .no_merging = o->no_merging,
                                 .plain = o->plain,
                                 .memory_limit = o->memory_limit,
                                 .seconds = o->time};
    if (guard_library())
        snprintf(q->library, sizeof q->library, "%s", guard_library());
    else
        copy_name(q->spec, o->spec);
    copy_name(q->quasi, o->quasi);
    c->proving.name = c->files.data[0];
    c->proving.trace = o->trace;
    c->proving.out = o->out;
    c->proving.spec_word = o->spec;
    c->proving.shifts = o->shift;
    c->proving.forgets = o->forget;
    c->proving.golden = o->golden;
    c->proving.golden_define = o->golden_define;
    c->shows_progress = !o->quiet && terminal_obeys(STDERR_FILENO);
    c->proving.listener.progress = show_progress;
    c->proving.listener.context = c;
}

static enum cli_exit run(void *context)
{
    struct prove_command *c = context;
    guard_begin(c->files.data[0], 0, 0, EXIT_HOLDS);
    time_limit_begin(c->options.time, c->files.data[0]);
    enum cli_exit exit = prove_options_fit(&c->options);
    if (exit != EXIT_HOLDS || (c->options.json && !output_check(c->options.json)) ||
        !report_files_can_write(&c->options.files))
        return EXIT_USAGE;
    set_question(c);
    leftovers_begin();
    interruption_begin();
    proving_run(&c->proving);
    interruption_end();
    if (c->shows_progress)
        fputs("\r\033[K", stderr);
    if (!c->proving.error.code)
        return prove_report(c);
    output_diagnostic(*c->proving.error.file ? NULL : c->files.data[0], &c->proving.error);
    return cli_exit_of_error(&c->proving.error);
}

enum cli_exit cli_prove(int count, char *const *words)
{
    struct prove_command c = {.options = {.threads = THREADS_USUAL, .memory_limit = MEMORY_USUAL}};
    enum cli_exit exit;
    int own = check_own_words(count, words);
    if (!cli_parse(&cli_prove_text, own, words, &c.options, &c.files, &exit))
        return exit;
    c.proving.source = check_source(&c.files, count, words);
    exit = spec_guard_run(&(struct spec_guarded){.spec = c.options.spec, .run = run, .context = &c});
    proving_free(&c.proving);
    vec_free(&c.files);
    return exit;
}
