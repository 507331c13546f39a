/* SPDX-License-Identifier: Apache-2.0 */
/* --html, --junit and --sarif, which every command has that can find a violation. */
#ifndef CLI_REPORT_FILES_H
#define CLI_REPORT_FILES_H

#include "cli/common/command.h"
#include "report/documents.h"

/* The entries of a command's option table; `field`: where its settings have the struct report_paths. */
#define REPORT_FILE_OPTIONS(field)                                                                     \
    {"html",                                                                                           \
     0,                                                                                                \
     OPTION_TEXT,                                                                                      \
     "F",                                                                                              \
     (field) + offsetof(struct report_paths, of[REPORT_HTML]),                                         \
     0,                                                                                                \
     0,                                                                                                \
     "Write what was found to F as a page for a browser: history, interleaving, source, memory."},     \
        {"junit",                                                                                      \
         0,                                                                                            \
         OPTION_TEXT,                                                                                  \
         "F",                                                                                          \
         (field) + offsetof(struct report_paths, of[REPORT_JUNIT]),                                    \
         0,                                                                                            \
         0,                                                                                            \
         "Write the results to F as JUnit's XML, for build servers."},                                 \
    {                                                                                                  \
        "sarif", 0, OPTION_TEXT, "F", (field) + offsetof(struct report_paths, of[REPORT_SARIF]), 0, 0, \
            "Write what was found to F as SARIF, for editors: the guilty line and the steps to it."    \
    }

struct report_files {
    struct report_paths paths;
    struct report_documents documents;
};

/* Could they all be written? False: after a diagnostic. */
bool report_files_can_write(const struct report_paths *paths);

/* The same; ready to collect what is to be written. */
bool report_files_begin(struct report_files *f, const struct report_paths *paths);

/* Writes them and frees what was collected. False: after a diagnostic. */
bool report_files_finish(struct report_files *f, const char *command, enum verdict verdict);

/* Of a command that proves one thing: what came of it, with the number of its states. */
bool report_files_write_proof(const struct report_paths *paths, const char *command,
                              const struct report_case *one, uint64_t states);

/* The command is to write them; when it has to give up before, for another reason than a wrong command line, they say
 * why. The last: they are written, or another process has done so. */
void report_files_expect(const char *command, const struct report_paths *paths);
void report_files_end(enum cli_exit exit);
void report_files_forget(void);

/* What a case says about an error of an input: "line 7, column 5: not declared". */
const char *report_files_message(struct text *out, const struct diagnostic *d);

/* "plumb 0.1": patch releases do not change what documents say. */
const char *report_tool_name(void);

#endif
