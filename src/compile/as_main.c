/* SPDX-License-Identifier: Apache-2.0 */
/* plumb-as ARGUMENTS OF THE ASSEMBLER: as (PLUMB_AS), given the text with marks. The compilers that plumb-cc calls find it by -B. */
#include "compile/compiled_text.h"
#include "compile/wrapper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The input is the argument that is no option and not the value of one, wherever it stands; null: the standard input. */
static const char *read_call(struct words *command, char **arguments)
{
    static const char *const with_value[] = {"-o", "-I", "--defsym", "--MD", "--debug-prefix-map", NULL};
    const char *as = getenv("PLUMB_AS"), *input = NULL;
    words_add(command, as && *as ? as : "as");
    for (; *arguments; arguments++) {
        if (**arguments == '-' && arguments[0][1]) {
            words_add(command, *arguments);
            if (text_is_one_of(*arguments, with_value) && arguments[1])
                words_add(command, *++arguments);
        } else if (input) {
            process_die("%s: one input at a time", *arguments);
        } else {
            input = *arguments;
        }
    }
    return input && strcmp(input, "-") == 0 ? NULL : input;
}

/* In memory, under a name that the assembler can open. */
static const char *write_text(const struct text *text)
{
    int file = process_memory();
    for (size_t done = 0; done < text->len;) {
        ssize_t count = write(file, text->data + done, text->len - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            process_die("the marked text: %s", strerror(errno));
        done += (size_t)count;
    }
    fcntl(file, F_SETFD, 0);
    return word_print("/proc/self/fd/%d", file);
}

static _Noreturn void become_assembler(struct words *command, const char *input)
{
    words_add(command, input);
    process_become(command);
}

/* What it says about a text that is not the user's is not shown. */
static bool assemble_silently(struct words *command, const char *input)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    words_add(command, input);
    bool done = process_run(command, (struct process_streams){-1, -1, nowhere}) == 0;
    (void)vec_pop(&command->list);
    close(nowhere);
    return done;
}

int main(int count, char **arguments)
{
    struct words command = {0};
    struct text input = {0}, marked = {0}, plain = {0};
    process_begin("plumb-as", false);
    const char *file = read_call(&command, arguments + (count > 0));
    if (!text_add_file(&input, file ? file : "/dev/stdin"))
        process_die("%s: %s", file ? file : "the standard input", strerror(errno));
    if (!input.len)
        text_puts(&input, "\n");
    struct compiled_text text = {.name = file ? file : "-", .text = input.data, .length = input.len};
    if (!compiled_text_mark(&text, &marked))
        become_assembler(&command, file ? file : write_text(&input));
    if (assemble_silently(&command, write_text(&marked)))
        process_end(0);
    text.no_marks = true;
    compiled_text_mark(&text, &plain);
    become_assembler(&command, write_text(&plain));
}
