/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that plumb-cc runs, the folder for what they leave, and the ends of plumb-cc itself. */
#ifndef COMPILE_WRAPPER_PROCESS_H
#define COMPILE_WRAPPER_PROCESS_H

#include "compile/word_list.h"

#include <stdbool.h>

/* Says "NAME: error: ...", removes the folder, and ends with exit code 1. */
_Noreturn void process_die(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void process_end(int code);
/* What errors begin with, and whether commands are printed instead of run. */
void process_begin(const char *name, bool shows);

/* Where a command reads and writes; -1: where plumb-cc does. */
struct process_streams {
    int input, output, error;
};
#define PROCESS_OWN_STREAMS ((struct process_streams){-1, -1, -1})

/* The exit code of a command, as shells have it. A signal that ends plumb-cc ends the command first. */
int process_run(const struct words *command, struct process_streams streams);
/* The same with its own streams. The second one becomes the command if nothing is to be cleaned up. */
int process_run_plainly(const struct words *command);
_Noreturn void process_become(const struct words *command);

/* What a command writes to its standard output or error stream; null: it failed. */
char *process_answer(const struct words *command, bool from_error);

/* A file without name. What is in one is read, or printed to the error stream; then it is closed. */
int process_memory(void);
char *process_read(int memory);
void process_say(int memory);

/* The folder for temporary files, made when it is first asked for, in which compilers put theirs, too. */
const char *process_folder(void);

#endif
