/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_observed.h"

#include "cli/output.h"
#include "history/jsonl.h"
#include "spec/serial/observations.h"
#include "spec/serial/serial.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The JSON lines of the worker, read. Null: they cannot be. */
static struct history *read_lines(const char *lines, size_t length)
{
    struct diagnostic ignored = {0};
    struct history *h = history_create();
    int fd = memfd_create("history", MFD_CLOEXEC);
    bool fine = fd >= 0 && write(fd, lines, length) == (ssize_t)length && lseek(fd, 0, SEEK_SET) == 0 &&
                jsonl_read(h, fd, &ignored);
    if (fd >= 0)
        close(fd);
    if (fine)
        return h;
    history_destroy(h);
    return NULL;
}

bool check_observed_add(struct text *out, const struct worker_shared *shared, const char *indent)
{
    struct diagnostic ignored = {0};
    bool stuck = shared->error.kind == WORKER_ERROR_DEADLOCK && shared->stuck_length;
    bool ended = shared->error.kind == WORKER_ERROR_NOT_LINEARIZABLE && shared->history_length &&
                 strcmp(shared->judged_by, SPEC_DERIVED_NAME) == 0;
    if (!stuck && !ended)
        return false;
    struct history *h = stuck ? read_lines(shared->stuck_history, shared->stuck_length)
                              : read_lines(shared->history, shared->history_length);
    bool fine = h && observations_add_history(out, h, indent, &ignored);
    if (h)
        history_destroy(h);
    return fine;
}

bool check_observed_write(const char *path, const struct worker_shared *shared)
{
    struct text history = {0}, all = {0};
    bool fine = true;
    if (check_observed_add(&history, shared, OBSERVATIONS_INDENT) && text_add_file(&all, path) &&
        observations_add_violation(&all, &history)) {
        FILE *file = output_open(path);
        if (file)
            output_text(file, &all);
        fine = file && output_close(file, path);
    }
    text_free(&history);
    text_free(&all);
    return fine;
}
