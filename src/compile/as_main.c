/* SPDX-License-Identifier: Apache-2.0 */
/* plumb-as ARGUMENTS OF THE ASSEMBLER: as (PLUMB_AS), given the text with marks. The compilers that plumb-cc calls find it by -B. */
#include "base/memory.h"
#include "base/vec.h"
#include "compile/compiled_text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct call {
    VEC(char *) words; /* of the assembler, without its input */
    const char *input; /* null: the standard input */
};

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "plumb-as: %s: %s\n", what, why);
    _exit(1);
}

/* The input is the argument that is no option and not the value of one, wherever it stands. */
static struct call read_call(char **arguments)
{
    static const char *const with_value[] = {"-o", "-I", "--defsym", "--MD", "--debug-prefix-map", NULL};
    struct call call = {0};
    char *as = getenv("PLUMB_AS");
    vec_push(&call.words, as && *as ? as : (char *)"as");
    for (; *arguments; arguments++) {
        if (**arguments == '-' && arguments[0][1]) {
            vec_push(&call.words, *arguments);
            if (text_is_one_of(*arguments, with_value) && arguments[1])
                vec_push(&call.words, *++arguments);
        } else if (call.input) {
            fail(*arguments, "one input at a time");
        } else {
            call.input = *arguments;
        }
    }
    if (call.input && strcmp(call.input, "-") == 0)
        call.input = NULL;
    vec_push(&call.words, NULL); /* the place of the input */
    vec_push(&call.words, NULL);
    return call;
}

/* In memory, under a name that the assembler can open. */
static char *write_text(const struct text *text)
{
    struct text name = {0};
    int file = memfd_create("plumb-as", 0);
    for (size_t done = 0; file >= 0 && done < text->len;) {
        ssize_t count = write(file, text->data + done, text->len - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            fail("the marked text", strerror(errno));
        done += (size_t)count;
    }
    if (file < 0)
        fail("memfd_create", strerror(errno));
    text_printf(&name, "/proc/self/fd/%d", file);
    return text_take(&name);
}

static _Noreturn void become_assembler(struct call *call, char *input)
{
    call->words.data[call->words.len - 2] = input;
    execvp(call->words.data[0], call->words.data);
    fail(call->words.data[0], strerror(errno));
}

/* What it says about a text that is not the user's is not shown. */
static bool assemble_silently(struct call *call, char *input)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    call->words.data[call->words.len - 2] = input;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&child, call->words.data[0], &actions, NULL, call->words.data, environ);
    if (error)
        fail(call->words.data[0], strerror(error));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments)
{
    struct call call = read_call(arguments + (count > 0));
    struct text input = {0}, marked = {0}, plain = {0};
    if (!text_add_file(&input, call.input ? call.input : "/dev/stdin"))
        fail(call.input ? call.input : "the standard input", strerror(errno));
    if (!input.len)
        text_puts(&input, "\n");
    struct compiled_text text = {
        .name = call.input ? call.input : "-", .text = input.data, .length = input.len};
    if (!compiled_text_mark(&text, &marked))
        become_assembler(&call, call.input ? (char *)call.input : write_text(&input));
    if (assemble_silently(&call, write_text(&marked)))
        return 0;
    text.no_marks = true;
    compiled_text_mark(&text, &plain);
    become_assembler(&call, write_text(&plain));
}
