/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/automatic.h"
#include "cli/check_run.h"
#include "cli/check_unfit.h"
#include "cli/output.h"
#include "spec/roles.h"

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
            auto_add_calls(&a->calls, word);
    }
}

static void read_harness(struct automatic *a, const struct worker_shared *s)
{
    a->call_text = strdup(s->operations);
    a->single_roles = s->single_roles;
    a->is_unspecified = s->is_unspecified && !a->options.check.golden && !a->options.check.golden_define;
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
        read_harness(a, target_shared(worker));
    else if (end->outcome == TARGET_UNFIT) {
        check_unfit(&why, a->files.data[0], worker);
        exit = check_cannot(&why);
    } else
        exit = end->outcome == TARGET_BROKEN ? output_error(PL_INTERNAL, "%s", end->message)
                                             : output_error(PL_USAGE, "%s", end->message);
    target_free(worker);
    return exit;
}

/* Roles of the operation that the harness has under this name. */
static uint32_t roles_of(const struct auto_call *listed, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strcspn(listed[i].text, "(") == length && strncmp(listed[i].text, name, length) == 0)
            return listed[i].roles;
    return ROLES_ANY; /* the test will say what is wrong with it */
}

/* A sequence of calls is for those who may make all of them. */
static uint32_t roles_of_sequence(const struct auto_call *listed, size_t count, char *at)
{
    uint32_t roles = ROLES_ANY;
    for (;;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " (");
        if (!length)
            return roles;
        roles &= roles_of(listed, count, at, length);
        at += length;
        at += strspn(at, " ");
        if (*at == '(')
            at = find_sign(at, ")");
        at += *at == ')';
    }
}

static void take_named_calls(struct automatic *a)
{
    size_t listed = a->calls.len;
    char *harness = a->call_text;
    a->call_text = strdup(a->options.calls);
    split_calls(a, ";");
    for (size_t i = listed; i < a->calls.len; i++)
        a->calls.data[i].roles = roles_of_sequence(a->calls.data, listed, (char *)a->calls.data[i].text);
    memmove(a->calls.data, a->calls.data + listed, (a->calls.len - listed) * sizeof *a->calls.data);
    a->calls.len -= listed;
    free(harness);
}

enum cli_exit auto_find_calls(struct automatic *a)
{
    enum cli_exit exit = ask_calls(a);
    if (exit != EXIT_HOLDS)
        return exit;
    split_calls(a, "\n");
    if (a->options.calls)
        take_named_calls(a);
    for (size_t i = 0; i < a->calls.len; i++)
        if (*find_sign((char *)a->calls.data[i].text, "|="))
            return output_error(PL_USAGE, "--calls has calls, not tests: no '|' and no '=>'");
    return a->calls.len ? EXIT_HOLDS : output_error(PL_USAGE, "there are no calls to make tests of");
}
