/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb generate`. */
#include "base/vec.h"
#include "cli/common/output.h"
#include "ownspec/spec_choice.h"
#include "cli/common/spec_guard.h"
#include "spec/generate/generate.h"

struct generate_options {
    uint64_t ops, threads, seed, keys, inside, rate;
    bool broken, stream;
    const char *output, *out;
};

#define FIELD(name) offsetof(struct generate_options, name)

static const struct option_entry generate_options_table[] = {
    {"ops", 0, OPTION_NUMBER, "N", FIELD(ops), 0, 2000000000,
     "Completed operations (1000); of a stream, 0 means without end."},
    {"threads", 0, OPTION_NUMBER, "T", FIELD(threads), 1, 1000000, "Threads (4)."},
    {"seed", 0, OPTION_NUMBER, "S", FIELD(seed), 0, UINT64_MAX,
     "Seed of all random choices (1); the same options give the same history."},
    {"keys", 0, OPTION_NUMBER, "K", FIELD(keys), 1, 1000000000,
     "How many different keys operations of a set, map and the like use (depends on the specification)."},
    {"inside", 0, OPTION_NUMBER, "N", FIELD(inside), 1, 1000000000,
     "Keep N to 2N items inside a queue, stack, deque, pqueue or bag, so that it is not empty any more."},
    {"broken", 0, OPTION_FLAG, NULL, FIELD(broken), 0, 0, "End in an episode that is not linearizable."},
    {"stream", 0, OPTION_FLAG, NULL, FIELD(stream), 0, 0,
     "Write calls and returns in the order of time, as a running program would."},
    {"rate", 0, OPTION_NUMBER, "N", FIELD(rate), 1, 1000000000,
     "Of a stream: N events a second (as fast as they are read)."},
    {"output", 'o', OPTION_TEXT, "FILE", FIELD(output), 0, 0, "Write to FILE (standard output)."},
    OUT_OPTION(FIELD(out)),
};

static const struct option_section generate_sections[] = {
    {"description",
     "Writes a random history in the form that 'plumb monitor' reads: threads run operations of the "
     "specification, "
     "each of which takes effect at some moment between its call and its return. 'plumb specs' lists the "
     "specifications; one of your own is a C file (docs/own_specs.md), without --broken, "
     "--inside, --keys and --stream.\n"},
    {"examples", "  plumb generate queue --ops 1000000 --threads 8 -o queue.jsonl\n"
                 "  plumb generate map --keys 64 --broken | plumb monitor -\n"
                 "  plumb generate queue --stream --ops 0 | plumb monitor --spec queue -\n"},
};

const struct option_command cli_generate_text = {
    .name = "generate",
    .summary = "Write a synthetic history.",
    .operands = "SPEC|FILE.c",
    .operands_least = 1,
    .operands_most = 1,
    COMMAND_TABLES(generate_options_table, generate_sections),
};

static enum cli_exit write_history(const struct plumb_spec *spec, const struct generate_options *o)
{
    bool own = spec == spec_added();
    if (own && (o->broken || o->keys || o->stream || o->inside))
        return output_error(PL_USAGE,
                            "--broken, --inside, --keys and --stream are for built-in specifications");
    FILE *out = output_open(o->output);
    if (!out)
        return EXIT_USAGE;
    struct generate_settings settings = {
        .ops = o->ops,
        .threads = (uint32_t)o->threads,
        .seed = o->seed,
        .keys = (uint32_t)o->keys,
        .inside = (uint32_t)o->inside,
        .broken = o->broken,
        .stream = o->stream,
        .rate = (double)o->rate,
    };
    bool known = own ? generate_own_history(spec, &settings, out) : generate_history(spec, &settings, out);
    bool written = output_close(out, o->output);
    if (!known && o->inside)
        return output_error(PL_USAGE, "--inside is for queue, stack, deque, pqueue and bag");
    if (!known)
        return output_error(PL_USAGE, "histories of specification %s cannot be generated", spec->name);
    return written ? EXIT_HOLDS : EXIT_USAGE;
}

struct generate_run {
    struct generate_options options;
    const char *spec;
};

static enum cli_exit run_guarded(void *context)
{
    const struct generate_run *run = context;
    struct diagnostic d = {0};
    const struct plumb_spec *spec = spec_choice_find(run->spec, &d);
    if (spec)
        return write_history(spec, &run->options);
    output_diagnostic(NULL, &d);
    return EXIT_USAGE;
}

/* Between options; null: there is none. */
static const char *contradiction(const struct generate_options *o)
{
    if (!o->stream && !o->ops)
        return "--ops 0 is for --stream";
    if (!o->stream && o->rate)
        return "--rate is for --stream";
    if (o->broken && !o->ops)
        return "--broken is about the end, and with --ops 0 there is none";
    return NULL;
}

enum cli_exit cli_generate(int count, char *const *words)
{
    struct generate_run run = {.options = {.ops = 1000, .threads = 4, .seed = 1, .output = "-"}};
    struct operand_list operands = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_generate_text, count, words, &run.options, &operands, &exit))
        return exit;
    const char *wrong = contradiction(&run.options);
    if (wrong) {
        vec_free(&operands);
        return output_error(PL_USAGE, "%s", wrong);
    }
    run.spec = operands.data[0];
    exit = spec_guard_run(&(struct spec_guarded){.spec = run.spec, .run = run_guarded, .context = &run});
    vec_free(&operands);
    return exit;
}
