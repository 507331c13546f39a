/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/time_limit.h"

#include "base/deadline.h"
#include "base/terminal.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "target/leftovers.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* How much later than it should the command may end by itself. */
static const double LATE_SECONDS = 0.7;

/* All that is printed at the end: a signal handler can only copy it. */
static struct {
    const char *name;
    double seconds;
    struct text line, document;
    const char *path; /* of the document; null: there is none */
    enum cli_exit exit;
    bool is_answered;
} limit;

static void print(int file, const struct text *t)
{
    for (size_t at = 0; at < t->len;) {
        ssize_t written = write(file, t->data + at, t->len - at);
        if (written <= 0)
            return;
        at += (size_t)written;
    }
}

static void print_document(void)
{
    bool is_stdout = strcmp(limit.path, "-") == 0;
    int file =
        is_stdout ? output_descriptor() : open(limit.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    print(file, &limit.document);
    print(is_stdout ? STDERR_FILENO : output_descriptor(), &limit.line);
}

static void end_late(void)
{
    if (!limit.is_answered && limit.path)
        print_document();
    else if (!limit.is_answered)
        print(output_descriptor(), &limit.line);
    leftovers_clean_up();
    _exit(limit.exit);
}

static void compose(const char *what)
{
    struct text message = {0}, line = {0}, document = {0};
    text_printf(&message, "time limit met%s%s", *what ? "; " : "", what);
    terminal_add_safe(&line, limit.name);
    text_puts(&line, ": inconclusive (");
    terminal_add_safe(&line, message.data);
    text_puts(&line, ")\n");
    limit.path = json_document_of_limit(&document, limit.name, message.data, limit.seconds);
    struct text old_line = limit.line, old_document = limit.document;
    limit.line = line; /* the alarm may come at any time */
    limit.document = document;
    text_free(&message), text_free(&old_line), text_free(&old_document);
}

void time_limit_begin(double seconds, const char *name)
{
    bool was_limited = limit.seconds > 0;
    deadline_set(seconds);
    limit.is_answered = false;
    limit.exit = EXIT_INCONCLUSIVE;
    limit.name = name;
    limit.seconds = seconds;
    if (seconds > 0)
        compose("");
    if (seconds > 0 || was_limited)
        leftovers_alarm(seconds > 0 ? seconds + LATE_SECONDS : 0, end_late);
}

void time_limit_note(enum cli_exit before, const char *format, ...)
{
    struct text what = {0};
    va_list args;
    if (limit.seconds <= 0)
        return;
    va_start(args, format);
    text_vprintf(&what, format, args);
    va_end(args);
    compose(what.data);
    text_free(&what);
    limit.exit = cli_worse_exit(before, EXIT_INCONCLUSIVE);
}

void time_limit_end(void)
{
    time_limit_begin(0, "");
}

void time_limit_answer(enum cli_exit exit)
{
    output_flush();
    limit.exit = exit;
    limit.is_answered = true;
}
