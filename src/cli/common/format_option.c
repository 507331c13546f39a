/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/format_option.h"

#include "base/terminal.h"
#include "cli/common/output.h"

#include <string.h>

enum format format_option_find(const char *name, const char *option)
{
    struct text list = {0};
    for (int f = FORMAT_JSONL; f < FORMAT_COUNT; f++) {
        if (!strcmp(name, format_name(f))) {
            text_free(&list);
            return (enum format)f;
        }
        text_printf(&list, "%s%s", list.len ? ", " : "", format_name(f));
    }
    output_error(PL_USAGE, "%s takes one of %s, not '%.100s'", option, list.data, name);
    text_free(&list);
    return FORMAT_COUNT;
}

bool format_option_read(const char *format, const char *jepsen, struct format_options *out)
{
    struct diagnostic d = {0};
    if (format && strcmp(format, format_name(FORMAT_AUTO)) &&
        (out->format = format_option_find(format, "--format")) == FORMAT_COUNT)
        return false;
    if (jepsen && !format_parse_jepsen(jepsen, out, &d))
        output_diagnostic(NULL, &d);
    return !d.code;
}

void format_option_print_notes(const char *name, const char *notes)
{
    while (notes && *notes) {
        struct text line = {0};
        size_t length = strcspn(notes, "\n");
        terminal_add_safe(&line, name);
        text_puts(&line, ": note: ");
        text_add(&line, notes, length);
        text_puts(&line, "\n");
        output_text(stderr, &line);
        text_free(&line);
        notes += length + (notes[length] == '\n');
    }
}
