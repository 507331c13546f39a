/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, as much of it as printing needs. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed character that starts at `s`, which has `left` bytes; 0: none starts there.
 * *code gets its code point. Overlong forms, surrogates and code points above U+10FFFF are not
 * well-formed. */
static inline size_t utf8_read(const char *s, size_t left, uint32_t *code)
{
    if (!left)
        return 0;
    const unsigned char *b = (const unsigned char *)s;
    size_t length = b[0] < 0x80   ? 1
                    : b[0] < 0xc2 ? 0
                    : b[0] < 0xe0 ? 2
                    : b[0] < 0xf0 ? 3
                    : b[0] < 0xf5 ? 4
                                  : 0;
    if (!length || length > left)
        return 0;
    uint32_t c = length == 1 ? b[0] : b[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3f);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (c < least[length] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
        return 0;
    *code = c;
    return length;
}

#endif
