/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly in what a compiler wrote (-save-temps): where nothing marks it (docs/internals/engine/assembly.md has how plumb-cc does), this is all
 * that is left to notice it. */
#ifndef TARGET_INLINE_TEXT_H
#define TARGET_INLINE_TEXT_H

/* Of the .s files in the folder: the first instruction of inline assembly that may access memory, as text for the caller to free; null: there is
 * none. Barriers and pauses access none. */
char *inline_text_find(const char *folder);

#endif
