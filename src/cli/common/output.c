/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/output.h"

#include "base/terminal.h"
#include "cli/common/json_document.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where results go; null: to stdout. */
static FILE *own_results;

static FILE *results(void)
{
    return own_results ? own_results : stdout;
}

void output_keep_results_apart(void)
{
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    own_results = copy < 0 ? NULL : fdopen(copy, "w");
    if (own_results)
        dup2(STDERR_FILENO, STDOUT_FILENO);
}

int output_descriptor(void)
{
    return fileno(results());
}

void output_text(FILE *to, const struct text *t)
{
    if (t->len)
        fwrite(t->data, 1, t->len, to == stdout ? results() : to);
}

/* Why stdout lost something when it was flushed early; the stream itself does not remember. */
static int stdout_errno;

void output_flush(void)
{
    if (own_results)
        fflush(stdout);
    errno = 0;
    if (fflush(results()) && !stdout_errno)
        stdout_errno = errno;
}

static struct diagnostic first_error;

void output_note_error(const char *file, const struct diagnostic *d)
{
    if (first_error.code)
        return;
    first_error = *d;
    if (file)
        snprintf(first_error.file, sizeof first_error.file, "%s", file);
}

const struct diagnostic *output_gave_up(enum cli_exit exit)
{
    bool judged = exit == EXIT_HOLDS || exit == EXIT_VIOLATED;
    return judged || !first_error.code || first_error.code == PL_USAGE ? NULL : &first_error;
}

/* No error of the user's: the answer. */
static void print_time_limit(const char *file, const struct diagnostic *d)
{
    struct text line = {0};
    terminal_add_safe(&line, file ? file : "plumb");
    text_puts(&line, ": inconclusive (");
    terminal_add_safe(&line, d->message);
    text_puts(&line, ")\n");
    output_text(json_document_is_stdout() ? stderr : stdout, &line);
    text_free(&line);
}

void output_diagnostic(const char *file, const struct diagnostic *d)
{
    struct text line = {0};
    output_note_error(file, d);
    file = file || !d->file[0] ? file : d->file;
    if (d->code == PL_TIME) {
        print_time_limit(file, d);
        return;
    }
    terminal_add_safe(&line, file ? file : "plumb");
    if (file && d->line)
        text_printf(&line, ":%" PRIu64, d->line);
    if (file && d->line && d->column)
        text_printf(&line, ":%" PRIu64, d->column);
    text_puts(&line, ": error: ");
    terminal_add_safe(&line, d->message);
    text_printf(&line, " [PL%04d]\n", d->code);
    output_flush();
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

struct report_style output_style(int color)
{
    return (struct report_style){
        .columns = terminal_columns(output_descriptor()),
        .color = terminal_use_color((enum terminal_color)color, output_descriptor()),
        .unicode = terminal_unicode(),
        .wide = terminal_width(output_descriptor()),
        .uncut = !terminal_width(output_descriptor()),
    };
}

static bool report_unwritable(const char *name, int number)
{
    output_error(PL_CANNOT_OPEN, "cannot write '%s': %s", name, strerror(number));
    return false;
}

/* Why a file `name`, which is not there, could not be made: an errno, or 0. */
static int folder_error(const char *name)
{
    struct text folder = {0};
    const char *slash = strrchr(name, '/');
    text_add(&folder, slash ? name : ".", slash ? (size_t)(slash - name) + 1 : 1);
    int number = !*name || (slash && !slash[1]) ? ENOENT : access(folder.data, W_OK | X_OK) ? errno : 0;
    text_free(&folder);
    return number;
}

bool output_check(const char *name)
{
    struct stat status;
    if (!strcmp(name, "-"))
        return true;
    int number = 0;
    if (stat(name, &status))
        number = errno == ENOENT ? folder_error(name) : errno;
    else if (S_ISDIR(status.st_mode))
        number = EISDIR;
    else if (access(name, W_OK))
        number = errno;
    return !number || report_unwritable(name, number);
}

bool output_check_file(const char *option, const char *name)
{
    if (strcmp(name, "-") != 0)
        return output_check(name);
    output_error(PL_USAGE, "%s needs the name of a file: it cannot write to standard output", option);
    return false;
}

bool output_is_writable(const char *name)
{
    FILE *file = strcmp(name, "-") != 0 ? fopen(name, "ae") : stdout;
    if (file && file != stdout)
        fclose(file);
    return file;
}

FILE *output_open(const char *name)
{
    FILE *file = strcmp(name, "-") ? fopen(name, "we") : results();
    if (!file)
        report_unwritable(name, errno);
    return file;
}

bool output_lost(const char *name, int number)
{
    output_error(PL_CANNOT_OPEN, "%s is incomplete: %s", name, number ? strerror(number) : "a write failed");
    return false;
}

bool output_close(FILE *file, const char *name)
{
    if (file == results())
        return true;
    bool lost = ferror(file);
    errno = 0;
    lost |= fclose(file) != 0;
    return !lost || output_lost(name, errno);
}

enum cli_exit output_finish(enum cli_exit exit)
{
    output_flush();
    bool fine = (!ferror(results()) && !stdout_errno) || output_lost("standard output", stdout_errno);
    return fine ? exit : cli_worse_exit(exit, EXIT_USAGE);
}

void output_reserve_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        /* Opened the wrong way round, so that using it still fails. */
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

void output_scope(const struct verdict_scope *s)
{
    struct text t = {0};
    scope_add_text(&t, s);
    output_flush();
    output_text(stderr, &t);
    text_free(&t);
}
