/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_LARGE_FILE_H
#define BASE_LARGE_FILE_H

#include "base/text.h"

/* Adds what a file has that programs write. False, with errno: it cannot be read, or has more than LARGE_FILE_MOST bytes (EFBIG). */
enum { LARGE_FILE_MOST = 512 << 20 };
_Bool text_add_large_file(struct text *t, const char *path);

/* Why not, as the end of a sentence. */
const char *large_file_error(int error);

#endif
