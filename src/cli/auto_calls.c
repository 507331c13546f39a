/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/automatic.h"
#include "cli/check_run.h"
#include "cli/check_unfit.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

/* The first of these signs outside of texts, or the end. */
static char *find_sign(char *at, const char *signs)
{
    for (char quote = 0; *at && (quote || !strchr(signs, *at)); at++) {
        if (quote && *at == '\\' && at[1])
            at++;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
    }
    return at;
}

static void split_calls(struct automatic *a, const char *divider)
{
    for (char *word = a->call_text, *next; word; word = next) {
        char *end = find_sign(word, divider);
        next = *end ? end + 1 : NULL;
        *end = 0;
        while (*word == ' ')
            word++;
        size_t length = strlen(word);
        while (length && word[length - 1] == ' ')
            word[--length] = 0;
        if (length)
            vec_push(&a->calls, word);
    }
}

static enum cli_exit ask_calls(struct automatic *a)
{
    struct diagnostic why = {0};
    struct target_run run = check_plan(&a->options.check, 0);
    struct target_watch watch = {.stall_seconds = CHECK_STALL_SECONDS};
    run.config.list = LIST_CALLS;
    struct target_worker *worker = target_start(a->program, &run, &why);
    if (!worker)
        return check_cannot(&why);
    target_wait(&worker, 1, &watch);
    const struct target_end *end = target_end_of(worker);
    enum cli_exit exit = EXIT_HOLDS;
    if (end->outcome == TARGET_FINISHED)
        a->call_text = strdup(target_shared(worker)->operations);
    else if (end->outcome == TARGET_UNFIT) {
        check_unfit(&why, a->files.data[0], worker);
        exit = check_cannot(&why);
    } else
        exit = end->outcome == TARGET_BROKEN ? output_error(PL_INTERNAL, "%s", end->message)
                                             : output_error(PL_USAGE, "%s", end->message);
    target_free(worker);
    return exit;
}

enum cli_exit auto_find_calls(struct automatic *a)
{
    enum cli_exit exit = EXIT_HOLDS;
    if (a->options.calls)
        a->call_text = strdup(a->options.calls);
    else
        exit = ask_calls(a);
    if (exit != EXIT_HOLDS)
        return exit;
    split_calls(a, a->options.calls ? ";" : "\n");
    for (size_t i = 0; i < a->calls.len; i++)
        if (*find_sign((char *)a->calls.data[i], "|="))
            return output_error(PL_USAGE, "--calls has calls, not tests: no '|' and no '=>'");
    return a->calls.len ? EXIT_HOLDS : output_error(PL_USAGE, "there are no calls to make tests of");
}
