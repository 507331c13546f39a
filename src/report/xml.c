/* SPDX-License-Identifier: Apache-2.0 */
#include "report/xml.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* XML 1.0 has no way to write most control characters. */
static void add_character(struct text *out, const char *s, size_t length, uint32_t code)
{
    const char *escape = code == '<'   ? "&lt;"
                         : code == '>' ? "&gt;"
                         : code == '&' ? "&amp;"
                         : code == '"' ? "&quot;"
                                       : NULL;
    bool allowed = code == '\n' || code == '\t' ||
                   (code >= 0x20 && (code < 0x7f || code >= 0xa0) && code != 0xfffe && code != 0xffff);
    if (escape)
        text_puts(out, escape);
    else if (allowed)
        text_add(out, s, length);
    else
        text_puts(out, "\xef\xbf\xbd");
}

void xml_add(struct text *out, const char *s)
{
    for (size_t left = strlen(s), length; left; s += length, left -= length) {
        uint32_t code = 0;
        length = utf8_read(s, left, &code);
        if (length) {
            add_character(out, s, length, code);
        } else {
            text_puts(out, "\xef\xbf\xbd");
            length = 1;
        }
    }
}
