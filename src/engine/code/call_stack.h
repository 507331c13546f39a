/* SPDX-License-Identifier: Apache-2.0 */
/* The call stack of the current thread, without the runtime's own frames. */
#ifndef ENGINE_CALL_STACK_H
#define ENGINE_CALL_STACK_H

#include "engine/shared/protocol.h"

/* Return addresses, innermost first, starting with `pc` when it is not null. */
void call_stack_capture(struct worker_stack *stack, const void *pc);

#endif
