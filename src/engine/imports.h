/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_IMPORTS_H
#define ENGINE_IMPORTS_H

/* Once, before the program's memory is copied. */
void imports_redirect(void);

#endif
