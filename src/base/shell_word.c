/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell_word.h"

#include "base/terminal.h"
#include "base/utf8.h"

#include <string.h>

/* $'...', which can say every byte that a terminal cannot show. */
static void add_escaped_word(struct text *out, const char *word)
{
    text_puts(out, " $'");
    for (size_t left = strlen(word); left;) {
        uint32_t code = 0;
        size_t length = utf8_read(word, left, &code);
        bool plain = length && code >= 0x20 && (code < 0x7f || code >= 0xa0);
        if (plain && (code == '\'' || code == '\\'))
            text_puts(out, "\\");
        length = length ? length : 1;
        for (size_t i = 0; i < length; i++)
            text_printf(out, plain ? "%c" : "\\%03o", (unsigned char)word[i]);
        word += length;
        left -= length;
    }
    text_puts(out, "'");
}

static void add_quoted_word(struct text *out, const char *word)
{
    text_puts(out, " '");
    for (; *word; word++)
        text_add(out, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    text_puts(out, "'");
}

void shell_add_word(struct text *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./,:@%";
    struct text shown = {0};
    terminal_add_safe(&shown, word);
    if (*word && strcmp(shown.data, word))
        add_escaped_word(out, word);
    else if (!*word || word[strspn(word, plain)])
        add_quoted_word(out, word);
    else
        text_printf(out, " %s", word);
    text_free(&shown);
}

void shell_add_file(struct text *out, const char *name)
{
    if (name[0] == '-' && name[1])
        text_puts(out, " --");
    shell_add_word(out, name);
}
