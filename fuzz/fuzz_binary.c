/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a binary history; and, because checksums stop nearly all of them, any bytes as the records of a
 * block that is right otherwise. */
#include "base/check.h"
#include "formats/binary_follow.h"
#include "support/same_history.h"

#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_written(const struct history *h, const char *before)
{
    struct diagnostic d = {0};
    char *data = NULL, *cut;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    CHECK(binary_write(out, h, &d));
    fclose(out);
    struct history *again = history_create();
    CHECK(binary_read(again, data, size, &cut, &d) && !cut);
    char *after = same_history_text(again, false);
    CHECK(after && !strcmp(before, after));
    free(after);
    free(data);
    history_destroy(again);
}

static void check_bytes(const char *bytes, size_t length)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    char *cut;
    if (binary_read(h, bytes, length, &cut, &d)) {
        char *before = same_history_text(h, false);
        if (before)
            check_written(h, before);
        free(before);
    } else {
        CHECK(d.code != 0 && d.message[0]);
    }
    free(cut);
    history_destroy(h);
}

static bool take(void *last, const struct history_event *e)
{
    CHECK(*(int64_t *)last <= e->time);
    *(int64_t *)last = e->time;
    return true;
}

/* The same in pieces, as from a pipe. */
static void check_pieces(const char *bytes, size_t length)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    int64_t last = INT64_MIN;
    struct binary_follower f = {.h = h, .d = &d, .take = take, .context = &last, .memory_max = 1 << 20};
    bool fine = true;
    for (size_t done = 0, piece; done < length && fine; done += piece) {
        piece = length - done < 7 ? length - done : 7;
        fine = binary_follow_bytes(&f, bytes + done, piece);
    }
    fine = fine && binary_follow_end(&f);
    CHECK(fine ? binary_follow_is_over(&f) : d.code != 0);
    binary_follower_free(&f);
    history_destroy(h);
}

/* A file of one block with these records, which is cut after it. The first byte is the number of events. */
static void check_records(const uint8_t *bytes, size_t length)
{
    size_t room = ZSTD_compressBound(length) + BINARY_MAGIC_BYTES + BINARY_HEADER_BYTES;
    char *file = base_alloc(room), *stored = file + BINARY_MAGIC_BYTES + BINARY_HEADER_BYTES;
    size_t size = ZSTD_compress(stored, ZSTD_compressBound(length), bytes + 1, length - 1, 1);
    CHECK(!ZSTD_isError(size));
    struct binary_header header = {.kind = BLOCK_EVENTS,
                                   .count = bytes[0],
                                   .stored = (uint32_t)size,
                                   .raw = (uint32_t)length - 1,
                                   .promise = INT64_MAX};
    header.checksum = binary_checksum(&header, stored);
    memcpy(file, BINARY_MAGIC, BINARY_MAGIC_BYTES);
    memcpy(file + BINARY_MAGIC_BYTES, &header, sizeof header);
    check_bytes(file, BINARY_MAGIC_BYTES + BINARY_HEADER_BYTES + size);
    check_pieces(file, BINARY_MAGIC_BYTES + BINARY_HEADER_BYTES + size);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    check_bytes((const char *)bytes, length);
    check_pieces((const char *)bytes, length);
    if (length)
        check_records(bytes, length);
    return 0;
}
