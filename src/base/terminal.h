/* SPDX-License-Identifier: Apache-2.0 */
/* What we may assume about where text goes. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include "base/text.h"

#include <stdbool.h>

enum terminal_color { TERMINAL_COLOR_AUTO, TERMINAL_COLOR_ALWAYS, TERMINAL_COLOR_NEVER };

/* $COLUMNS, else the width of the terminal `fd`, at least 60; 0: it is none. */
unsigned terminal_width(int fd);

/* $COLUMNS, else the width of the terminal `fd`, else 80; kept between 60 and 120. */
unsigned terminal_columns(int fd);

/* Does the environment ask for UTF-8? */
bool terminal_unicode(void);

/* Is it a terminal that knows sequences for colours and for erasing a line? */
bool terminal_obeys(int fd);

/* Colour or not; `auto` means a terminal, unless NO_COLOR is set or TERM is "dumb". */
bool terminal_use_color(enum terminal_color wish, int fd);

/* Adds `s` with control characters and bytes that are not UTF-8 written as \xNN, so that names chosen
 * by others cannot steer the terminal or start a line of their own. */
void terminal_add_safe(struct text *out, const char *s);

#endif
