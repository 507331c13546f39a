/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/autotest.h"
#include "campaign/campaign_run.h"
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

static void split_calls(struct autotest *a, const char *divider)
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

static void read_harness(struct autotest *a, const struct worker_shared *s)
{
    a->call_text = strdup(s->operations);
    a->values = strdup(s->values);
    a->single_roles = s->single_roles;
    a->is_unspecified =
        s->is_unspecified && !a->options.campaign.golden && !a->options.campaign.golden_define;
}

static bool ask_calls(struct autotest *a, struct diagnostic *why)
{
    struct target_run run = campaign_plan(&a->options.campaign, 0);
    struct target_watch watch = {.stall_seconds = CAMPAIGN_STALL_SECONDS};
    run.config.list = LIST_CALLS;
    struct target_worker *worker = target_start(a->program, &run, why);
    if (!worker)
        return false;
    target_wait(&worker, 1, &watch);
    const struct target_end *end = target_end_of(worker);
    bool finished = end->outcome == TARGET_FINISHED;
    if (finished)
        read_harness(a, target_shared(worker));
    else if (end->outcome == TARGET_REFUSED)
        campaign_mistake(why, a->files.data[0], worker);
    else
        diagnostic_set(why, end->outcome == TARGET_BROKEN ? PL_INTERNAL : PL_USAGE, 0, 0, "%s", end->message);
    target_free(worker);
    return finished;
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

static void take_named_calls(struct autotest *a)
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

bool auto_find_calls(struct autotest *a, struct diagnostic *why)
{
    if (!ask_calls(a, why))
        return false;
    split_calls(a, "\n");
    auto_holdings_find(&a->holdings, &a->calls);
    const char *lack = a->options.calls ? NULL : auto_holdings_lack(&a->calls);
    if (lack)
        return diagnostic_set(
            why, PL_HARNESS, 0, 0,
            "tests of %.*s cannot be made: no operation of the harness is sure to acquire before it. Add one "
            "that does, or one that tries and, if it could, releases",
            (int)strcspn(lack, "("), lack);
    if (a->options.calls)
        take_named_calls(a);
    for (size_t i = 0; i < a->calls.len; i++)
        if (*find_sign((char *)a->calls.data[i].text, "|="))
            return diagnostic_set(why, PL_USAGE, 0, 0, "--calls has calls, not tests: no '|' and no '=>'");
    return a->calls.len || diagnostic_set(why, PL_USAGE, 0, 0, "there are no calls to make tests of");
}
