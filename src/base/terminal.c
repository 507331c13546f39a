/* SPDX-License-Identifier: Apache-2.0 */
#include "base/terminal.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_DEFAULT = 80, COLUMNS_LEAST = 60, COLUMNS_MOST = 120 };

/* Anything but a plain number is as good as not set. */
static unsigned columns_from_environment(void)
{
    const char *s = getenv("COLUMNS");
    if (!s || !*s || strlen(s) > 6 || strspn(s, "0123456789") != strlen(s))
        return 0;
    return (unsigned)strtoul(s, NULL, 10);
}

static unsigned columns_from_terminal(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

unsigned terminal_width(int fd)
{
    unsigned columns = columns_from_environment();
    if (!columns)
        columns = columns_from_terminal(fd);
    return columns && columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
}

unsigned terminal_columns(int fd)
{
    unsigned columns = terminal_width(fd);
    if (!columns)
        columns = COLUMNS_DEFAULT;
    return columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
}

bool terminal_unicode(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *s = getenv(variables[i]);
        if (s && *s)
            return strcasestr(s, "utf-8") || strcasestr(s, "utf8");
    }
    return false;
}

bool terminal_obeys(int fd)
{
    const char *term = getenv("TERM");
    return term && strcmp(term, "dumb") != 0 && isatty(fd);
}

bool terminal_use_color(enum terminal_color wish, int fd)
{
    if (wish != TERMINAL_COLOR_AUTO)
        return wish == TERMINAL_COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR");
    return !(no_color && *no_color) && terminal_obeys(fd);
}

void terminal_add_safe(struct text *out, const char *s)
{
    size_t left = strlen(s);
    while (left) {
        uint32_t code = 0;
        size_t length = utf8_read(s, left, &code);
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        if (length && !control) {
            text_add(out, s, length);
        } else {
            length = length ? length : 1;
            for (size_t i = 0; i < length; i++)
                text_printf(out, "\\x%02x", (unsigned char)s[i]);
        }
        s += length;
        left -= length;
    }
}
