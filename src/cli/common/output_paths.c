/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/output_paths.h"

#include "base/vec.h"
#include "cli/common/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "output" is the last: a history may be converted in place. */
static const char *const outputs[] = {
    "json",       "html",       "junit",       "sarif", "trace",  "table",   "reproduce", "observations",
    "checkpoint", "export-aut", "export-spec", "patch", "record", "witness", "result",    "output"};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* The folder for all of them. */
static const char folder_option[] = "out";

/* The option that takes the name of a file; null: the command has none of that name. */
static const struct option_entry *find_option(const struct option_command *text, const char *name)
{
    for (size_t i = 0; i < text->option_count; i++)
        if (text->options[i].kind == OPTION_TEXT && !strcmp(text->options[i].name, name))
            return &text->options[i];
    return NULL;
}

const char *output_path(const struct option_command *text, const void *settings, const char *name)
{
    const struct option_entry *option = find_option(text, name);
    return option ? *(const char *const *)((const char *)settings + option->field) : NULL;
}

static bool names_option(const struct option_command *text, const char *word, const char *name)
{
    size_t length = strlen(name);
    return find_option(text, name) && !strncmp(word, "--", 2) && !strncmp(word + 2, name, length) &&
           (!word[length + 2] || word[length + 2] == '=');
}

bool output_is_option(const struct option_command *text, const char *word)
{
    for (size_t k = 0; k < OUTPUTS; k++)
        if (names_option(text, word, outputs[k]))
            return true;
    return names_option(text, word, folder_option);
}

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* ------------------------------------------------------------------ --out */

/* With all folders above it. False, with errno: it cannot be. */
static bool make_folder(const char *folder)
{
    struct text path = {0};
    struct stat status;
    bool made = true;
    for (const char *end = folder; made && *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        text_clear(&path);
        text_add(&path, folder, (size_t)(end - folder));
        made = mkdir(path.data, 0777) == 0 || (stat(path.data, &status) == 0 && S_ISDIR(status.st_mode));
        errno = !made && errno == EEXIST ? ENOTDIR : errno;
    }
    text_free(&path);
    return made && access(folder, W_OK | X_OK) == 0;
}

static void place(const struct option_entry *option, void *settings, const char *folder)
{
    static VEC(char *) kept; /* as long as the process */
    const char **path = (const char **)((char *)settings + option->field);
    struct text placed = {0};
    if (!*path || !**path || is_standard(*path) || strchr(*path, '/'))
        return;
    text_add_folder(&placed, folder);
    text_puts(&placed, *path);
    vec_push(&kept, text_take(&placed));
    *path = kept.data[kept.len - 1];
}

bool output_paths_place(const struct option_command *text, void *settings)
{
    const char *folder = output_path(text, settings, folder_option);
    if (folder && !make_folder(folder)) {
        output_error(PL_CANNOT_OPEN, "--out: cannot write to the folder '%.200s': %s", folder,
                     strerror(errno));
        return false;
    }
    for (size_t k = 0; folder && k < OUTPUTS; k++) {
        const struct option_entry *option = find_option(text, outputs[k]);
        if (option)
            place(option, settings, folder);
    }
    return true;
}

/* ------------------------------------------------------------------ files that would be lost */

/* "-" is the standard input. */
static bool is_input(const char *output, const char *input)
{
    struct stat out, in;
    if (stat(output, &out) || (is_standard(input) ? fstat(STDIN_FILENO, &in) : stat(input, &in)))
        return false;
    return S_ISREG(out.st_mode) && out.st_dev == in.st_dev && out.st_ino == in.st_ino;
}

static bool spares(const char *option, const char *output, const char *input)
{
    if (is_standard(output) || !is_input(output, input))
        return true;
    output_error(PL_USAGE, "--%s would overwrite the input '%.200s'", option, input);
    return false;
}

static bool spares_inputs(const struct option_command *text, const void *settings,
                          const struct operand_list *operands, const char *option, const char *output)
{
    const char *golden = output_path(text, settings, "golden"), *spec = output_path(text, settings, "spec");
    for (size_t i = 0; i < operands->len; i++)
        if (!spares(option, output, operands->data[i]))
            return false;
    /* A specification is a file only when its name looks like one. */
    return (!golden || spares(option, output, golden)) &&
           (!spec || !strpbrk(spec, "./") || spares(option, output, spec));
}

/* Two names of one file; what is no file, such as /dev/null, may be written to by many. */
static bool is_same_output(const char *a, const char *b)
{
    struct stat status;
    if (is_standard(a) || is_standard(b))
        return false;
    return strcmp(a, b) == 0 ? stat(a, &status) != 0 || S_ISREG(status.st_mode) : is_input(a, b);
}

static bool differs_from_others(const struct option_command *text, const void *settings, size_t k,
                                const char *output)
{
    for (size_t i = 0; i < k; i++) {
        const char *other = output_path(text, settings, outputs[i]);
        if (other && is_same_output(output, other)) {
            output_error(PL_USAGE, "--%s and --%s would write the same file '%.200s'", outputs[i], outputs[k],
                         output);
            return false;
        }
    }
    return true;
}

bool output_paths_fit(const struct option_command *text, const void *settings,
                      const struct operand_list *operands)
{
    for (size_t k = 0; k < OUTPUTS - 1; k++) {
        const char *output = output_path(text, settings, outputs[k]);
        if (output && (!spares_inputs(text, settings, operands, outputs[k], output) ||
                       !differs_from_others(text, settings, k, output)))
            return false;
    }
    return true;
}
