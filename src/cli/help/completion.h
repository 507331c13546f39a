/* SPDX-License-Identifier: Apache-2.0 */
/* What a shell has to know to complete command lines of plumb: commands, options, the words of choices. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "base/text.h"

enum completion_shell { COMPLETION_BASH, COMPLETION_ZSH, COMPLETION_FISH };

void completion_add(struct text *out, enum completion_shell shell);

#endif
