/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb annotate LANGUAGE`: for plumb-cc, so no manual names it. Reads what the preprocessor wrote from stdin and writes what is
 * to be compiled to stdout; an empty line, if there are no annotations. */
#include "annotate/annotate.h"
#include "cli/common/output.h"

#include <string.h>
#include <unistd.h>

static bool read_input(struct text *to)
{
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
        text_add(to, buffer, (size_t)got);
    return got == 0;
}

enum cli_exit cli_annotate(int count, char *const *words)
{
    struct text input = {0};
    struct annotate_result result = {0};
    bool cxx = count == 1 && !strcmp(words[0], "c++");
    if (!cxx && (count != 1 || strcmp(words[0], "c") != 0))
        return output_error(PL_USAGE, "plumb annotate: the language is c or c++");
    text_puts(&input, "");
    if (!read_input(&input)) {
        text_free(&input);
        return output_error(PL_CANNOT_OPEN, "plumb annotate: cannot read");
    }
    annotate_translate(input.data, input.len, cxx ? ANNOTATE_CXX : ANNOTATE_C, &result);
    for (size_t i = 0; i < result.errors.len; i++)
        output_diagnostic(NULL, &result.errors.data[i]);
    if (!result.text.len)
        text_puts(&result.text, "\n");
    if (!result.errors.len)
        output_text(stdout, &result.text);
    enum cli_exit exit = result.errors.len ? EXIT_USAGE : EXIT_HOLDS;
    annotate_result_free(&result);
    text_free(&input);
    return exit;
}
