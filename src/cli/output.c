/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include "base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void output_text(FILE *to, const struct text *t)
{
    if (t->len)
        fwrite(t->data, 1, t->len, to);
}

void output_diagnostic(const char *file, const struct diagnostic *d)
{
    struct text line = {0};
    terminal_add_safe(&line, file ? file : "plumb");
    if (file && d->line)
        text_printf(&line, ":%" PRIu64, d->line);
    if (file && d->line && d->column)
        text_printf(&line, ":%" PRIu64, d->column);
    text_puts(&line, ": error: ");
    terminal_add_safe(&line, d->message);
    text_printf(&line, " [PL%04d]\n", d->code);
    fflush(stdout);
    output_text(stderr, &line);
    text_free(&line);
}

enum cli_exit output_error(int code, const char *format, ...)
{
    struct diagnostic d = {.code = code};
    va_list args;
    va_start(args, format);
    vsnprintf(d.message, sizeof d.message, format, args);
    va_end(args);
    output_diagnostic(NULL, &d);
    return EXIT_USAGE;
}

FILE *output_open(const char *name)
{
    FILE *file = strcmp(name, "-") ? fopen(name, "we") : stdout;
    if (!file)
        output_error(PL_CANNOT_OPEN, "cannot write '%s': %s", name, strerror(errno));
    return file;
}

/* Flushes or closes; false, after a diagnostic, when something was lost. */
static bool end_output(FILE *file, const char *name, int (*end)(FILE *))
{
    bool lost = ferror(file);
    errno = 0;
    lost |= end(file) != 0;
    if (lost)
        output_error(PL_CANNOT_OPEN, "%s is incomplete: %s", name, errno ? strerror(errno) : "a write failed");
    return !lost;
}

bool output_close(FILE *file, const char *name)
{
    return file == stdout || end_output(file, name, fclose);
}

enum cli_exit output_finish(enum cli_exit exit)
{
    return end_output(stdout, "standard output", fflush) ? exit : cli_worse_exit(exit, EXIT_USAGE);
}

void output_reserve_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        /* Opened the wrong way round, so that using it still fails. */
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}
