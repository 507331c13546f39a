/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb convert`. */
#include "base/vec.h"
#include "cli/common/format_option.h"
#include "pipeline/pipeline.h"
#include "cli/common/output.h"

#include <string.h>

struct convert_options {
    const char *to, *output, *out, *format, *jepsen;
};

#define FIELD(name) offsetof(struct convert_options, name)

static const struct option_entry convert_options_table[] = {
    {"to", 0, OPTION_TEXT, "F", FIELD(to), 0, 0,
     "The format to write: jsonl, bin, edn, log, kv; without it, that of FILE's name, or jsonl."},
    {"output", 'o', OPTION_TEXT, "FILE", FIELD(output), 0, 0, "Write to FILE (standard output)."},
    OUT_OPTION(FIELD(out)),
    {"format", 0, OPTION_TEXT, "F", FIELD(format), 0, 0,
     "The format of the input: jsonl, bin, edn, log, kv; by default recognised by its content."},
    {"jepsen", 0, OPTION_TEXT, "LIST", FIELD(jepsen), 0, 0,
     "What events of edn, log and kv mean: nil=any or nil=value, fail=drop or fail=false, keys=tuples or "
     "keys=none, with commas between (docs/formats.md)."},
};

static const struct option_section convert_sections[] = {
    {"description", "Reads a history ('-' is standard input) and writes it in another format: the same "
                    "operations, so that 'plumb "
                    "monitor' says the same of both. What the new format cannot express is an error, or, "
                    "if no verdict depends on "
                    "it, a note on stderr.\n"},
    {"formats", "  jsonl  JSON, one operation per line\n"
                "  bin    binary, compressed, written by recorders\n"
                "  edn    Jepsen's history.edn: one event per line\n"
                "  log    Jepsen's log lines\n"
                "  kv     EDN lines with a :key: get, put and append\n"},
    {"exit status",
     "0 written; 2 wrong usage, bad input, or something the format cannot say; 3 the input is cut and its "
     "beginning was written; 70 an internal error.\n"},
    {"examples", "  plumb convert store/latest/history.edn -o history.jsonl\n"
                 "  plumb convert recorded.bin --to edn | less\n"},
};

const struct option_command cli_convert_text = {
    .name = "convert",
    .summary = "Write a history in another format.",
    .operands = "HISTORY",
    .operands_least = 1,
    .operands_most = 1,
    COMMAND_TABLES(convert_options_table, convert_sections),
};

/* "history.edn" is to be EDN. */
static enum format format_of_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (int f = FORMAT_JSONL; dot && f < FORMAT_COUNT; f++)
        if (!strcmp(dot + 1, format_name(f)))
            return (enum format)f;
    return FORMAT_JSONL;
}

/* The file is touched only when all of the history can be said. */
static bool write_file(const struct history *h, enum format to, const char *path, struct text *notes,
                       struct diagnostic *d)
{
    struct text ignored = {0};
    bool sayable = format_write(NULL, h, to, &ignored, d);
    text_free(&ignored);
    FILE *out = sayable ? output_open(path) : NULL;
    if (!out)
        return false;
    bool written = format_write(out, h, to, notes, d);
    return output_close(out, path) && written;
}

static bool has_register(const struct history *h)
{
    for (size_t i = 0; i < h->op_names.len; i++)
        if (!strcmp(h->op_names.data[i], "read") || !strcmp(h->op_names.data[i], "cas"))
            return true;
    return false;
}

/* Registers of logs hold null at first, those of all other formats 0. */
static const char *note_about_initial(const struct history *h, const struct format_reading *reading,
                                      enum format to)
{
    bool null_before = reading->initial == PLUMB_NONE, null_after = to == FORMAT_LOG;
    if (null_before == null_after || !has_register(h))
        return NULL;
    return null_after
               ? "a register of a log holds null at first: to judge it as before, use --init 0"
               : "a register of a log holds null at first, and of this format 0: to judge it as before, "
                 "say --init null";
}

static enum cli_exit convert(const char *path, const struct convert_options *o,
                             const struct format_options *from, enum format to)
{
    const char *name = strcmp(path, "-") ? path : "<stdin>";
    struct history *h = history_create();
    struct format_reading reading = {0};
    struct diagnostic d = {0};
    struct text notes = {0};
    enum cli_exit exit = EXIT_USAGE;
    if (history_file_read(h, path, from, &reading, &d) && write_file(h, to, o->output, &notes, &d)) {
        format_option_print_notes(name, reading.notes);
        format_option_print_notes(name, notes.data);
        format_option_print_notes(name, note_about_initial(h, &reading, to));
        format_option_print_notes(name, reading.cut);
        exit = reading.cut ? EXIT_INCONCLUSIVE : EXIT_HOLDS;
    }
    if (d.code)
        output_diagnostic(name, &d);
    text_free(&notes);
    format_reading_free(&reading);
    history_destroy(h);
    return exit;
}

enum cli_exit cli_convert(int count, char *const *words)
{
    struct convert_options options = {.output = "-"};
    struct operand_list operands = {0};
    struct format_options from = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_convert_text, count, words, &options, &operands, &exit))
        return exit;
    const char *path = operands.data[0];
    vec_free(&operands);
    enum format to = options.to ? format_option_find(options.to, "--to") : format_of_name(options.output);
    if (to == FORMAT_COUNT || !format_option_read(options.format, options.jepsen, &from))
        return EXIT_USAGE;
    return convert(path, &options, &from, to);
}
