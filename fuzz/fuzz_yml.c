/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a task of SV-COMP: refused with a sentence, or it names a program and properties. */
#include "base/check.h"
#include "campaign/task/task_file.h"
#include "support/bytes_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int file = -1;
    char path[32];
    struct task_file t;
    struct diagnostic d = {0};
    bytes_file(&file, path, bytes, length);
    if (task_file_read(&t, path, &d))
        CHECK(t.files.len && t.properties.len && t.properties.data[0].name && d.code == 0);
    else
        CHECK(d.code != 0 && d.message[0]);
    task_file_free(&t);
    return 0;
}
