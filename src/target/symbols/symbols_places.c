/* SPDX-License-Identifier: Apache-2.0 */
/* The place in the source of an instruction, and the one of several that a reader looks for. */
#include "target/symbols/symbols_inside.h"

#include <inttypes.h>
#include <string.h>

/* `origin`: the folder that a relative path belongs to, or null. */
static const char *shorten_path(struct symbols *s, const char *path, const char *origin)
{
    struct text clean = {0}, whole = {0};
    symbols_whole_path(path, origin, &whole);
    symbols_clean_path(whole.data, &clean);
    text_free(&whole);
    const char *shown = clean.len ? clean.data : "";
    size_t folder = s->folder ? strlen(s->folder) : 0;
    if (folder && !strncmp(shown, s->folder, folder))
        shown += folder;
    char *kept = arena_copy(&s->strings, shown, strlen(shown));
    text_free(&clean);
    return kept;
}

static bool is_users(const struct symbol_frame *frame)
{
    return frame->file && !symbols_is_system_file(frame->file);
}

/* Past layers around atomics that have a file of their own, from the frame that is the user's own. */
static uint32_t skip_wrappers(struct symbols_module *m, uint64_t address, const struct symbol_frame *frames,
                              uint32_t count, uint32_t k)
{
    while (k + 1 < count && is_users(&frames[k + 1]) && strcmp(frames[k].file, frames[k + 1].file) != 0 &&
           symbols_frame_wraps(m, address, k))
        k++;
    return k;
}

static struct symbol_place find_place(struct symbols *s, uint64_t pc)
{
    struct symbol_frame frames[SYMBOLS_CHAIN_MOST];
    struct symbol_place place = {0};
    struct symbols_module *m = symbols_find_module(s, pc - 1);
    if (m)
        place.frame_count = symbols_find_frames(m, pc - 1 - m->bias, frames);
    if (!place.frame_count)
        return place;
    const char *origin = symbols_unit_folder(m, pc - 1 - m->bias);
    uint32_t shown = 0;
    while (shown + 1 < place.frame_count && frames[shown].file && symbols_is_system_file(frames[shown].file))
        shown++;
    place.library = !frames[shown].file || symbols_is_system_file(frames[shown].file);
    if (place.library)
        shown = 0;
    uint32_t code = shown;
    if (!place.library)
        shown = skip_wrappers(m, pc - 1 - m->bias, frames, place.frame_count, code);
    place.wraps =
        !place.library && shown + 1 == place.frame_count && symbols_frame_wraps(m, pc - 1 - m->bias, shown);
    for (uint32_t i = 0; i < place.frame_count; i++)
        if (frames[i].file)
            frames[i].file = shorten_path(s, frames[i].file, origin);
    size_t size = place.frame_count * sizeof *frames;
    place.frames = memcpy(arena_alloc(&s->strings, size), frames, size);
    place.at = frames[code];
    place.shown = frames[shown];
    return place;
}

bool symbols_line(struct symbols *s, uint64_t pc, struct symbol_place *out)
{
    uint32_t *number = hash_map_at(&s->place_of_pc, pc);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)s->places.len;
        vec_push(&s->places, find_place(s, pc));
    }
    *out = s->places.data[*number];
    return out->at.file != NULL;
}

/* Is all code there a layer around atomics, which the user's code in another file calls? */
static bool is_called_wrapper(struct symbols *s, const struct symbol_place *place, uint64_t caller)
{
    struct symbol_place by;
    return place->wraps && symbols_line(s, caller, &by) && !by.library &&
           strcmp(by.at.file, place->shown.file) != 0;
}

uint64_t symbols_choose_place(struct symbols *s, const uint64_t *pcs, uint32_t count)
{
    struct symbol_place place;
    uint64_t chosen = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool known = symbols_line(s, pcs[k], &place);
        if (known && !place.library && !(k + 1 < count && is_called_wrapper(s, &place, pcs[k + 1])))
            return pcs[k];
        if (known && !chosen)
            chosen = pcs[k];
    }
    return chosen || !count ? chosen : pcs[0];
}

void symbols_add_place(struct symbols *s, uint64_t pc, struct text *out)
{
    struct symbol_place place;
    if (symbols_line(s, pc, &place))
        text_printf(out, "%s:%" PRIu32, place.shown.file, place.shown.line);
    else if (place.at.function && symbols_find_module(s, pc - 1) == s->modules)
        text_puts(out, place.at.function); /* a library's name says more */
    else
        symbols_add_module_offset(s, pc ? pc - 1 : 0, out);
}
