/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/inline_text.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Lines between these are the user's, for gcc and clang. */
static const char BEGINS[] = "#APP", ENDS[] = "#NO_APP";

static bool is_harmless(const char *line)
{
    static const char *const words[] = {"pause",  "rep; nop", "rep nop", "rep;nop", "nop",
                                        "mfence", "lfence",   "sfence",  "yield"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return !*line || *line == '#' || *line == '/' || *line == '.';
}

static char *trim(char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    line[strcspn(line, "\n")] = 0;
    return line;
}

static char *search_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char buffer[512], *found = NULL;
    bool is_inline = false;
    while (file && !found && fgets(buffer, sizeof buffer, file)) {
        char *line = trim(buffer);
        if (strncmp(line, ENDS, sizeof ENDS - 1) == 0)
            is_inline = false;
        else if (strncmp(line, BEGINS, sizeof BEGINS - 1) == 0)
            is_inline = true;
        else if (is_inline && !is_harmless(line))
            found = base_strndup(line, strlen(line));
    }
    if (file)
        fclose(file);
    return found;
}

static bool is_assembly(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".s") == 0;
}

char *inline_text_find(const char *folder)
{
    DIR *list = opendir(folder);
    char *found = NULL;
    for (struct dirent *entry; list && !found && (entry = readdir(list));) {
        struct text path = {0};
        text_printf(&path, "%s/%s", folder, entry->d_name);
        if (is_assembly(entry->d_name))
            found = search_file(path.data);
        text_free(&path);
    }
    if (list)
        closedir(list);
    return found;
}
