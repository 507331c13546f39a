/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/monitor/monitor_options.h"
#include "base/shell_word.h"

const char *monitor_replay(const struct pipeline_input *in, const struct monitor_options *options,
                           struct arena *arena)
{
    const struct pipeline_question *q = &options->question;
    struct text command = {0};
    text_puts(&command, "plumb monitor");
    if (options->spec) {
        text_puts(&command, " --spec");
        shell_add_word(&command, options->spec);
    }
    const struct {
        const char *name, *value;
    } given[] = {{" --format", options->format}, {" --jepsen", options->jepsen}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value) {
            text_puts(&command, given[i].name);
            shell_add_word(&command, given[i].value);
        }
    if (q->init) {
        text_puts(&command, " --init");
        shell_add_word(&command, q->init);
    }
    if (q->quasi) {
        text_puts(&command, " --quasi");
        shell_add_word(&command, q->quasi);
    }
    if (q->quasi_min) {
        text_puts(&command, " --quasi-min");
        shell_add_word(&command, q->quasi_min);
    }
    text_puts(&command, q->reading ? " --reading c" : "");
    text_puts(&command, q->moment ? " --explain" : "");
    shell_add_file(&command, in->path);
    return text_keep(&command, arena);
}
