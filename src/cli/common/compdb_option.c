/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/compdb_option.h"

#include "base/shell_word.h"
#include "base/terminal.h"
#include "cli/common/output.h"
#include "target/compdb/compdb.h"

/* As they are found they live as long as the process: workers are built again from them. */
static struct words flags;

static void print_choice(const struct compdb *db, const struct compdb_entry *e)
{
    struct text line = {0};
    text_puts(&line, "plumb: note: flags of ");
    terminal_add_safe(&line, e->file);
    text_puts(&line, " in ");
    terminal_add_safe(&line, db->path);
    text_puts(&line, flags.list.len ? ":" : ": none");
    for (size_t k = 0; k < flags.list.len; k++)
        shell_add_word(&line, flags.list.data[k]);
    text_puts(&line, "\n");
    output_text(stderr, &line);
    text_free(&line);
}

static bool use(const struct compdb *db, const struct campaign_options *o, struct target_source *source,
                struct diagnostic *why)
{
    const struct compdb_entry *e = compdb_choose(db, source->files, source->file_count, why);
    if (!e)
        return false;
    compdb_add_flags(&flags, e);
    if (!o->quiet)
        print_choice(db, e);
    for (size_t k = 0; k < source->flag_count; k++)
        command_add_word(&flags, "%s", source->flags[k]);
    source->flags = (const char *const *)flags.list.data;
    source->flag_count = flags.list.len;
    return true;
}

bool compdb_option_apply(const struct campaign_options *o, struct target_source *source)
{
    struct compdb db;
    struct diagnostic why = {0};
    if (!o->compdb)
        return true;
    bool fine = compdb_read(&db, o->compdb, &why) && use(&db, o, source, &why);
    if (!fine)
        output_diagnostic(NULL, &why);
    compdb_free(&db);
    return fine;
}
