/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as EDN or as a log: refused with a place, or what was read is written and read again as the same. */
#include "base/check.h"
#include "formats/formats.h"
#include "support/same_history.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_round_trip(const struct history *h, enum format format)
{
    struct text notes = {0};
    struct diagnostic d = {0};
    struct format_options o = {.format = format};
    struct format_reading reading = {0};
    char *data = NULL, *before = same_history_text(h, false);
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    bool written = before && format_write(out, h, format, &notes, &d);
    fclose(out);
    CHECK(written || !before || d.code == PL_CANNOT_SAY);
    if (written) {
        struct history *again = history_create();
        CHECK(format_read_memory(again, data, size, &o, &reading, &d) && !reading.cut);
        char *after = same_history_text(again, false);
        CHECK(after && !strcmp(before, after));
        free(after);
        history_destroy(again);
    }
    format_reading_free(&reading);
    text_free(&notes);
    free(before);
    free(data);
}

static void check_format(const char *text, size_t length, enum format format)
{
    struct history *h = history_create();
    struct format_options o = {.format = format};
    struct format_reading reading = {0};
    struct diagnostic d = {0};
    if (format_read_memory(h, text, length, &o, &reading, &d)) {
        CHECK(d.code == 0 && h->ops.len);
        check_round_trip(h, FORMAT_EDN);
        check_round_trip(h, FORMAT_BINARY);
    } else {
        CHECK(d.code != 0 && d.message[0] && d.column <= length + 1);
    }
    format_reading_free(&reading);
    history_destroy(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = base_strndup("", 0);
    text = base_realloc(text, length + 1);
    if (length)
        memcpy(text, bytes, length);
    text[length] = 0;
    format_detect(text, length);
    check_format(text, length, FORMAT_EDN);
    check_format(text, length, FORMAT_LOG);
    free(text);
    return 0;
}
