/* SPDX-License-Identifier: Apache-2.0 */
/* What a user should know about tests that passed: why they could have passed too easily. */
#include "base/terminal.h"
#include "cli/auto/auto.h"
#include "cli/common/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A sentence each. */
typedef VEC(char *) auto_notes;

static void add_note(auto_notes *notes, struct text *t)
{
    vec_push(notes, text_take(t));
}

static auto_notes take_notes(const struct autotest *a)
{
    auto_notes notes = {0};
    struct text t = {0};
    if (a->is_unspecified) {
        text_puts(&t, "the harness has no PLUMB_OBJECT: what its operations answer one after the other was "
                      "taken for the "
                      "specification");
        add_note(&notes, &t);
    }
    if (a->could_meet && !a->met) {
        text_puts(&t, "no two operations of different threads ever touched the same memory, one of them "
                      "writing: nothing "
                      "could go wrong; name arguments that meet (PLUMB_TRY)");
        add_note(&notes, &t);
    }
    if (a->stuck) {
        text_printf(
            &t, "%" PRIu64 " test%s runs in which an operation waits forever, one after the other; first '",
            a->stuck, a->stuck == 1 ? " has" : "s have");
        terminal_add_safe(&t, a->stuck_test);
        text_puts(&t, "'");
        add_note(&notes, &t);
    }
    return notes;
}

static void free_notes(auto_notes *notes)
{
    for (size_t i = 0; i < notes->len; i++)
        free(notes->data[i]);
    vec_free(notes);
}

void auto_print_notes(const struct autotest *a)
{
    const struct campaign_options *o = &a->options.campaign;
    struct text t = {0};
    auto_notes notes = take_notes(a);
    for (size_t i = 0; i < notes.len; i++)
        text_printf(&t, "  note: %s\n", notes.data[i]);
    if (!o->quiet && (!o->json || strcmp(o->json, "-") != 0))
        output_text(stdout, &t);
    text_free(&t);
    free_notes(&notes);
}

void auto_add_json_notes(struct json_writer *w, const struct autotest *a)
{
    auto_notes notes = take_notes(a);
    if (notes.len) {
        JSON_ARRAY(w, "notes", i, notes.len)
            json_string(w, notes.data[i]);
    }
    free_notes(&notes);
}
