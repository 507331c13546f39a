/* SPDX-License-Identifier: Apache-2.0 */
/* What is ambiguous is guessed, everywhere in the same way at first. Where that leads to a contradiction one of the guesses that take part
 * in it is changed, and all is tried again: ambiguities are few and far apart, so that each is soon right. Only a legal order counts. */
#include "monitor/appends/appends_run.h"

enum { TRIES_LEAST = 16, TRIES_MOST = 256, TRIES_WORK = 4000000 };

/* ---- what takes part ---- */

static uint8_t *root_choice(struct appends_run *run, uint32_t look)
{
    const struct appends_look *g = &run->looks.data[look];
    uint32_t single = run->nodes.data[g->node[0]].single;
    bool alone = single == NONE || g->count != 1;
    return &run->late_root[alone ? run->nodes.len + look : single]; /* gets that show it have the same root */
}

bool appends_takes_late_root(struct appends_run *run, uint32_t look)
{
    return *root_choice(run, look);
}

bool appends_takes_late_writer(const struct appends_run *run, uint32_t token)
{
    return run->late_writer[token];
}

void appends_blame_look(struct appends_run *run, uint32_t look)
{
    const struct appends_look *g = &run->looks.data[look];
    if (run->mode == APPENDS_GUESS && (g->count != 1 || g->more || g->root == NONE))
        vec_push(&run->blamed, root_choice(run, look));
}

void appends_blame_token(struct appends_run *run, uint32_t token)
{
    if (run->mode == APPENDS_GUESS && appends_writer_count(&run->tokens, token) > 1)
        vec_push(&run->blamed, &run->late_writer[token]);
}

void appends_blame_epoch(struct appends_run *run, uint32_t epoch)
{
    const struct appends_epoch *e = &run->epochs.data[epoch];
    for (uint32_t k = 0; run->mode == APPENDS_GUESS && k < e->looks; k++)
        appends_blame_look(run, run->by_depth[e->first_look + k]);
    for (uint32_t k = 0; run->mode == APPENDS_GUESS && k < e->tokens; k++)
        appends_blame_token(run, run->nodes.data[run->occurrences.data[e->first_token + k].node].token);
}

/* A put that no get was said to have read from. */
static void blame_put(struct appends_run *run, uint32_t op)
{
    uint32_t length;
    const char *bytes = appends_written(run, op, &length);
    uint32_t text = appends_longest_prefix(&run->puts, bytes, length);
    for (uint32_t k = 0; k < run->looks.len; k++)
        if (run->looks.data[k].guess != NONE && run->nodes.data[run->looks.data[k].guess].root == text)
            appends_blame_look(run, k);
}

void appends_blame_write(struct appends_run *run, uint32_t op)
{
    uint32_t length;
    if (run->mode != APPENDS_GUESS)
        return;
    if (run->kind[op] == APPENDS_PUT) {
        blame_put(run, op);
        return;
    }
    const char *bytes = appends_written(run, op, &length);
    appends_blame_token(run, appends_longest_prefix(&run->tokens, bytes, length));
}

/* ---- trying ---- */

static uint32_t next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* False: nothing that was guessed takes part. */
static bool change_one(struct appends_run *run, uint64_t *chance)
{
    if (!run->blamed.len)
        return false;
    uint8_t *choice = run->blamed.data[next_number(chance) % run->blamed.len];
    *choice = !*choice;
    return true;
}

static bool guess_from(struct appends_run *run, unsigned way, uint32_t tries)
{
    uint64_t chance = way + 1;
    memset(run->late_root, way & 1, run->nodes.len + run->looks.len);
    memset(run->late_writer, way >> 1, run->tokens.count);
    do {
        run->work = 0;
        vec_clear(&run->blamed);
        if (appends_try_mode(run, APPENDS_GUESS))
            return true;
    } while (!run->why && --tries && change_one(run, &chance));
    return false;
}

bool appends_guess(struct appends_run *run)
{
    uint32_t tries = TRIES_WORK / (run->count + 1);
    tries = tries < TRIES_LEAST ? TRIES_LEAST : tries > TRIES_MOST ? TRIES_MOST : tries;
    run->d = NULL;
    run->late_root = NEW_ARRAY(uint8_t, run->nodes.len + run->looks.len);
    run->late_writer = NEW_ARRAY(uint8_t, run->tokens.count);
    bool found = false;
    for (unsigned way = 0; way < 4 && !found && !run->why; way++)
        found = guess_from(run, way, tries);
    return found;
}
