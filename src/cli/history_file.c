/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/history_file.h"

#include "base/terminal.h"
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum format history_file_format(const char *name, const char *option)
{
    struct text list = {0};
    for (int f = FORMAT_JSONL; f < FORMAT_COUNT; f++) {
        if (!strcmp(name, format_names[f])) {
            text_free(&list);
            return (enum format)f;
        }
        text_printf(&list, "%s%s", list.len ? ", " : "", format_names[f]);
    }
    output_error(PL_USAGE, "%s takes one of %s, not '%.100s'", option, list.data, name);
    text_free(&list);
    return FORMAT_COUNT;
}

bool history_file_options(const char *format, const char *jepsen, struct format_options *out)
{
    struct diagnostic d = {0};
    if (format && strcmp(format, format_names[FORMAT_AUTO]) &&
        (out->format = history_file_format(format, "--format")) == FORMAT_COUNT)
        return false;
    if (jepsen && !format_parse_jepsen(jepsen, out, &d))
        output_diagnostic(NULL, &d);
    return !d.code;
}

static bool is_directory(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

int history_file_open(const char *path, struct diagnostic *d)
{
    int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd < 0)
        diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot open: %s", strerror(errno));
    else if (is_directory(fd))
        diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "this is a directory");
    else
        return fd;
    history_file_close(fd);
    return -1;
}

void history_file_close(int fd)
{
    if (fd > STDIN_FILENO)
        close(fd);
}

bool history_file_read(struct history *h, const char *path, const struct format_options *o,
                       struct format_reading *out, struct diagnostic *d)
{
    int fd = history_file_open(path, d);
    bool fine = fd >= 0 && format_read(h, fd, o, out, d);
    history_file_close(fd);
    return fine;
}

void history_file_print_notes(const char *name, const char *notes)
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
