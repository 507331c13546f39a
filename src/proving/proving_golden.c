/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications that are what an implementation answers when its operations run one after the other. */
#include "base/memory.h"
#include "proving/proving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct target_program *build(struct proving *p)
{
    struct target_source other = p->source;
    struct text define = {0},
                undefine = {0}; /* or the compiler warns of a macro that the flags define, too */
    OWNED const char **flags = NEW_ARRAY(const char *, other.flag_count + 2);
    for (size_t i = 0; i < other.flag_count; i++)
        flags[i] = other.flags[i];
    other.flags = flags;
    if (p->golden_define) {
        text_printf(&undefine, "-U%.*s", (int)strcspn(p->golden_define, "=("), p->golden_define);
        text_printf(&define, "-D%s", p->golden_define);
        flags[other.flag_count++] = undefine.data;
        flags[other.flag_count++] = define.data;
    }
    if (p->golden) {
        other.files = &p->golden;
        other.file_count = 1;
    }
    struct target_program *program = target_build_proved(&other, &p->error);
    text_free(&define);
    text_free(&undefine);
    return program;
}

static bool run(struct proving *p, const char *path, bool is_golden)
{
    OWNED struct prove_shared *s = NEW_ZEROED(struct prove_shared, 1);
    s->question = p->question;
    s->question.mode = PROVE_SERIAL;
    s->question.tso = false;
    if (!proving_process(p, path, s))
        return false;
    if (s->answer != PROVE_HOLDS) {
        snprintf(p->why, sizeof p->why, "%s%.300s", is_golden ? "the golden implementation: " : "",
                 s->message);
        return false;
    }
    p->answer->table = s->table;
    return true;
}

bool proving_find_table(struct proving *p, const struct target_program *program)
{
    bool is_golden = p->golden || p->golden_define;
    struct target_program *other = is_golden ? build(p) : NULL;
    if (is_golden && !other)
        return false;
    bool fine = run(p, other ? other->path : program->path, is_golden);
    if (other)
        target_program_free(other);
    return fine;
}
