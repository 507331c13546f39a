/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/sample_values.h"

#include "harness/matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* A number, unless the text goes on with `end`, which stands for all on that side. */
static bool take_bound(const char **at, const char *end, int64_t *bound)
{
    char *rest;
    *at = skip_blanks(*at);
    if (!strncmp(*at, end, strlen(end)))
        return true;
    errno = 0;
    *bound = strtoll(*at, &rest, 0);
    bool fine = rest > *at && !errno;
    *at = skip_blanks(rest);
    return fine;
}

static bool take_word(const char **at, const char *word)
{
    *at = skip_blanks(*at);
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at = skip_blanks(*at + length);
    return true;
}

bool sample_values_parse(struct sample_values *v, const char *text)
{
    *v = (struct sample_values){INT64_MIN, INT64_MAX, false};
    const char *at = skip_blanks(text);
    if (!*at)
        return true;
    v->distinct = take_word(&at, "distinct");
    if (v->distinct)
        return !*at;
    if (!take_bound(&at, "..", &v->least) || !take_word(&at, ".."))
        return false;
    if (*at && *at != ',' && !take_bound(&at, ",", &v->most))
        return false;
    v->distinct = take_word(&at, ",") && take_word(&at, "distinct");
    return !*at && v->least <= v->most;
}

static void add_value(struct text *out, const struct sample_values *v, int64_t value, const char **comma)
{
    if (value < v->least || value > v->most)
        return;
    text_printf(out, "%s%" PRId64, *comma, value);
    *comma = ",";
}

void sample_values_add(struct text *out, const struct sample_values *v, char type)
{
    struct sample_values in = *v; /* what the type has of them */
    int64_t least, most;
    const char *comma = "";
    matrix_type_range(type, &least, &most);
    in.least = v->least > least ? v->least : least;
    in.most = v->most < most ? v->most : most;
    int64_t first = in.least > 1 || in.most < 1 ? in.least : 1;
    text_printf(out, "%" PRId64 ":%" PRIu64 ":", first, (uint64_t)in.most - (uint64_t)first + 1);
    add_value(out, &in, 0, &comma);
    add_value(out, &in, -1, &comma);
    if (in.least < -1)
        add_value(out, &in, in.least, &comma);
    if (least == 0) /* what -1 becomes */
        add_value(out, &in, most, &comma);
    text_puts(out, v->distinct ? "" : comma);
    text_puts(out, v->distinct ? "" : "~");
}
