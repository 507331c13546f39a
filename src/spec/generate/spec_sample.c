/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/generate/generate.h"

#include "base/hash.h"

#include <string.h>

enum { ARGUMENTS_MOST = 16 };

uint64_t spec_sample_number(struct spec_sampler *s, uint64_t below)
{
    s->random += 0x9e3779b97f4a7c15u;
    return hash_word(s->random) % below;
}

static plumb_value sample_int(struct spec_sampler *s, int64_t from, int64_t to)
{
    return plumb_int(s->values, from + (int64_t)spec_sample_number(s, (uint64_t)(to - from + 1)));
}

static plumb_value sample_text(struct spec_sampler *s)
{
    static const char *const texts[] = {"", "a", "b"};
    const char *text = texts[spec_sample_number(s, 3)];
    return plumb_string(s->values, text, strlen(text));
}

static plumb_value sample_value(struct spec_sampler *s)
{
    switch (spec_sample_number(s, 12)) {
    case 0: return sample_text(s);
    case 1: return PLUMB_TRUE;
    default: return sample_int(s, 0, 3);
    }
}

/* Of three registers. */
static plumb_value sample_transaction(struct spec_sampler *s)
{
    plumb_value parts[3];
    size_t count = spec_sample_number(s, 4);
    for (size_t i = 0; i < count; i++) {
        bool writes = spec_sample_number(s, 2);
        plumb_value items[] = {plumb_string(s->values, writes ? "w" : "r", 1), sample_int(s, 1, 3),
                               writes ? sample_int(s, 0, 3) : PLUMB_NONE};
        parts[i] = plumb_array(s->values, items, 3);
    }
    return plumb_array(s->values, parts, count);
}

static plumb_value sample_letter(struct spec_sampler *s, char letter)
{
    switch (letter) {
    case 'i': return sample_int(s, -2, 3);
    case 'n': return sample_int(s, 0, 3);
    case 's': return sample_text(s);
    case 't': return sample_transaction(s);
    case 'p': {
        plumb_value pair[] = {sample_int(s, 0, 3), sample_int(s, 0, 3)};
        return spec_sample_number(s, 2) ? pair[0] : plumb_array(s->values, pair, 2);
    }
    case 'v': return spec_sample_number(s, 12) ? sample_value(s) : PLUMB_NONE;
    default: return sample_value(s);
    }
}

struct plumb_call spec_sample_call(struct spec_sampler *s, uint32_t threads)
{
    struct plumb_call call = {.op = (uint32_t)spec_sample_number(s, s->spec->operation_count),
                              .thread = (uint32_t)spec_sample_number(s, threads),
                              .arg = PLUMB_OK,
                              .result = PLUMB_ANY};
    const char *letters = s->spec->operations[call.op].args;
    plumb_value items[ARGUMENTS_MOST];
    size_t count = strnlen(letters, ARGUMENTS_MOST);
    for (size_t i = 0; i < count; i++)
        items[i] = sample_letter(s, letters[i]);
    if (count == 1)
        call.arg = items[0];
    else if (count > 1)
        call.arg = plumb_array(s->values, items, count);
    return call;
}
