/* SPDX-License-Identifier: Apache-2.0 */
/* What a debugger's helper (tools/plumb-gdb.py) finds in the process: two functions to stop in, and a table that says
 * where things are. They are exported, so that they are found in a stripped library too, and whatever names the
 * program under test uses for its own things. */
#ifndef ENGINE_DEBUGGER_H
#define ENGINE_DEBUGGER_H

/* Called with config.debugger only: an event was noted in the calling thread. */
void plumb_debug_event(void);
/* An error was found, and is in the shared memory. */
void plumb_debug_error(void);

#endif
