/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a compilation database: refused with a line, or its entries give flags. */
#include "base/check.h"
#include "support/bytes_file.h"
#include "target/compdb/compdb.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_flags(const struct compdb_entry *e)
{
    struct words flags = {0};
    CHECK(e->directory && e->file && e->arguments.list.len);
    compdb_add_flags(&flags, e);
    for (size_t k = 0; k < flags.list.len; k++)
        CHECK(flags.list.data[k] && strcmp(flags.list.data[k], "-c") != 0);
    command_free(&flags);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int file = -1;
    static const char *const names[] = {"/a/queue.c"};
    char path[32];
    struct compdb db;
    struct diagnostic d = {0}, none = {0};
    bytes_file(&file, path, bytes, length);
    if (compdb_read(&db, path, &d)) {
        for (size_t k = 0; k < db.entries.len; k++)
            check_flags(&db.entries.data[k]);
        CHECK(compdb_choose(&db, names, 1, &none) || none.code == PL_COMPDB);
    } else {
        CHECK(d.code == PL_COMPDB && d.message[0] && d.line >= 1);
    }
    compdb_free(&db);
    return 0;
}
