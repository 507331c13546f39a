/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <cells/word.h>
static inline int cell_add(struct cell *c, int n)
{
    int before = c->word;
    c->word = before + n;
    return before;
}
