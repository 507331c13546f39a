/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4), for formats that name a file by it. */
#ifndef REPORT_SHA256_H
#define REPORT_SHA256_H

#include "base/text.h"

/* Adds 64 hexadecimal digits. */
void sha256_add_hex(struct text *out, const void *bytes, size_t length);

#endif
