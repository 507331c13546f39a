/* SPDX-License-Identifier: Apache-2.0 */
/* Collections as answers: what is inside of a set or another container. */
#include "base/memory.h"
#include "formats/edn.h"
#include "formats/jepsen.h"

#include <string.h>

plumb_value jepsen_bare_head(struct plumb_values *values, plumb_value head)
{
    size_t length, tildes = 0;
    if (plumb_tag_of(head) != PLUMB_TAG_STRING)
        return head;
    const char *bytes = plumb_string_of(values, head, &length);
    while (tildes < length && bytes[tildes] == '~')
        tildes++;
    bool escaped = tildes > 1 && tildes < length && bytes[tildes] == '#';
    return escaped ? plumb_string(values, bytes + 1, length - 1) : head;
}

static bool is_text(const struct plumb_values *values, plumb_value v, const char *text)
{
    size_t length;
    if (plumb_tag_of(v) != PLUMB_TAG_STRING)
        return false;
    const char *bytes = plumb_string_of(values, v, &length);
    return length == strlen(text) && !memcmp(bytes, text, length);
}

plumb_value jepsen_list_of(struct plumb_values *values, plumb_value v)
{
    size_t count = plumb_is_array(v) ? plumb_array_count(values, v) : 0, kept = 0;
    if (!count)
        return v;
    plumb_value head = plumb_array_item(values, v, 0);
    bool is_set = is_text(values, head, EDN_SET), is_map = is_text(values, head, EDN_MAP);
    OWNED plumb_value *items = NEW_ARRAY(plumb_value, count);
    if (!is_set && !is_map)
        items[kept++] = jepsen_bare_head(values, head);
    for (size_t i = 1; i < count; i += is_map ? 2 : 1) {
        plumb_value entry[2] = {plumb_array_item(values, v, i), PLUMB_NONE};
        if (is_map && i + 1 < count)
            entry[1] = plumb_array_item(values, v, i + 1);
        items[kept++] = is_map ? plumb_array(values, entry, 2) : entry[0];
    }
    return plumb_array(values, items, kept);
}

void jepsen_understand_set(struct plumb_values *values, const struct jepsen_function *f,
                           struct jepsen_call *c, const struct format_options *o)
{
    struct jepsen_function function = *f;
    if (f->kind == KIND_READ)
        function.kind = KIND_LIST;
    jepsen_understand(values, &function, c, o);
    bool changes = !strcmp(f->op, "add") || !strcmp(f->op, "remove");
    if (changes && (c->result == PLUMB_OK || c->ended == c->invoked || c->ended == PLUMB_NONE))
        c->result = PLUMB_ANY;
}
