/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/help/completion.h"

#include "cli/common/command.h"
#include "spec/registry.h"

#include <string.h>

/* The first sentence: that is what fits in a list. */
static size_t sentence_length(const char *help)
{
    const char *end = strstr(help, ". ");
    size_t length = end ? (size_t)(end - help) : strlen(help);
    return length > 0 && help[length - 1] == '.' ? length - 1 : length;
}

/* `s` inside single quotes; characters of `special` get a backslash. */
static void add_quoted(struct text *out, const char *s, size_t length, const char *special)
{
    for (size_t i = 0; i < length; i++) {
        if (s[i] == '\'')
            text_puts(out, "'\\'");
        else if (strchr(special, s[i]))
            text_puts(out, "\\");
        text_add(out, &s[i], 1);
    }
}

static bool has_choices(const struct option_entry *o)
{
    return o->kind == OPTION_CHOICE;
}

/* The name of a specification, or a file. */
static bool takes_spec(const struct option_entry *o)
{
    return strcmp(o->name, "spec") == 0 && o->kind == OPTION_TEXT;
}

static void add_specs(struct text *out)
{
    for (unsigned s = 0; s < spec_count; s++)
        text_printf(out, "%s%s", s ? " " : "", spec_all[s]->name);
}

static void add_words(struct text *out, const struct option_entry *o)
{
    if (takes_spec(o))
        add_specs(out);
    for (const char *c = o->value; *c && has_choices(o); c++)
        text_add(out, *c == '|' ? " " : c, 1);
}

/* --- bash ------------------------------------------------------------------------------------------- */

static void add_bash_command(struct text *out, const struct option_command *c)
{
    text_printf(out, "    %s)\n        options='--help", c->name);
    for (size_t i = 0; i < c->option_count; i++)
        text_printf(out, " --%s", c->options[i].name);
    text_puts(out, "'\n        case $before in\n");
    for (size_t i = 0; i < c->option_count; i++)
        if (has_choices(&c->options[i]) || takes_spec(&c->options[i])) {
            text_printf(out, "        --%s) words='", c->options[i].name);
            add_words(out, &c->options[i]);
            text_printf(out, "'%s ;;\n", takes_spec(&c->options[i]) ? " files=1" : "");
        }
    text_puts(out, "        esac\n        ;;\n");
}

static void add_bash(struct text *out)
{
    text_puts(out, "# Completion of plumb for bash\n"
                   "_plumb()\n{\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options='' "
                   "words='' files='' file commands='");
    for (size_t i = 0; i < cli_command_count; i++)
        text_printf(out, "%s%s", i ? " " : "", cli_commands[i].text->name);
    text_puts(out, "'\n"
                   "    # --name=value is three words\n"
                   "    [ \"$before\" = '=' ] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
                   "    [ \"$word\" = '=' ] && word=''\n"
                   "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < cli_command_count; i++)
        add_bash_command(out, cli_commands[i].text);
    text_puts(out, "    esac\n"
                   "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "        words=$commands\n"
                   "    elif [ \"${COMP_WORDS[1]}\" = help ] && [[ $word != -* ]]; then\n"
                   "        words=${words:-$commands}\n"
                   "    elif [[ $word == -* ]]; then\n"
                   "        words=$options\n"
                   "    fi\n"
                   "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                   "    [ -z \"$files\" ] || while IFS= read -r file; do\n"
                   "        COMPREPLY+=(\"$file\")\n"
                   "    done < <(compgen -f -- \"$word\")\n"
                   "}\n"
                   "complete -o default -F _plumb plumb\n");
}

/* --- zsh -------------------------------------------------------------------------------------------- */

static void add_zsh_option(struct text *out, const struct option_entry *o)
{
    text_printf(out, "            '%s--%s%s[", o->kind == OPTION_LIST ? "*" : "", o->name,
                o->kind == OPTION_FLAG ? "" : "=");
    add_quoted(out, o->help, sentence_length(o->help), "[]:\\");
    text_puts(out, "]");
    if (has_choices(o)) {
        text_puts(out, ":word:(");
        add_words(out, o);
        text_puts(out, ")");
    } else if (takes_spec(o)) {
        text_puts(out, ":value:_plumb_spec");
    } else if (o->kind == OPTION_TEXT || o->kind == OPTION_LIST) {
        text_puts(out, ":value:_files");
    } else if (o->kind != OPTION_FLAG) {
        text_puts(out, ":value: ");
    }
    text_puts(out, "' \\\n");
}

static void add_zsh(struct text *out)
{
    text_puts(out, "#compdef plumb\n_plumb_spec()\n{\n    _alternative 'specs:specification:(");
    add_specs(out);
    text_puts(out, ")' 'files:file:_files'\n}\n_plumb()\n{\n    local -a commands=(\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct option_command *c = cli_commands[i].text;
        text_printf(out, "        '%s:", c->name);
        add_quoted(out, c->summary, sentence_length(c->summary), ":\\");
        text_puts(out, "'\n");
    }
    text_puts(out, "    )\n"
                   "    if (( CURRENT == 2 )); then\n"
                   "        _describe command commands\n"
                   "        return\n"
                   "    fi\n"
                   "    local command=$words[2]\n"
                   "    shift words\n"
                   "    (( CURRENT-- ))\n"
                   "    case $command in\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct option_command *c = cli_commands[i].text;
        text_printf(out, "    %s)\n        _arguments \\\n", c->name);
        for (size_t k = 0; k < c->option_count; k++)
            add_zsh_option(out, &c->options[k]);
        text_printf(out, "            '*:%s'\n        ;;\n",
                    strcmp(c->name, "help") == 0 ? "command:{_describe command commands}" : "file:_files");
    }
    text_puts(out, "    esac\n}\n_plumb \"$@\"\n");
}

/* --- fish ------------------------------------------------------------------------------------------- */

static void add_fish_option(struct text *out, const struct option_command *c, const struct option_entry *o)
{
    text_printf(out, "complete -c plumb -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name);
    if (o->letter)
        text_printf(out, " -s %c", o->letter);
    if (has_choices(o) || takes_spec(o)) {
        text_puts(out, has_choices(o) ? " -x -a '" : " -r -a '");
        add_words(out, o);
        text_puts(out, "'");
    } else if (o->kind != OPTION_FLAG) {
        text_puts(out, " -r");
    }
    text_puts(out, " -d '");
    add_quoted(out, o->help, sentence_length(o->help), "\\");
    text_puts(out, "'\n");
}

static void add_fish(struct text *out)
{
    text_puts(out, "# Completion of plumb for fish\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct option_command *c = cli_commands[i].text;
        text_printf(out, "complete -c plumb -n __fish_use_subcommand -f -a %s -d '", c->name);
        add_quoted(out, c->summary, sentence_length(c->summary), "\\");
        text_puts(out, "'\n");
        for (size_t k = 0; k < c->option_count; k++)
            add_fish_option(out, c, &c->options[k]);
    }
}

void completion_add(struct text *out, enum completion_shell shell)
{
    switch (shell) {
    case COMPLETION_BASH: add_bash(out); break;
    case COMPLETION_ZSH: add_zsh(out); break;
    case COMPLETION_FISH: add_fish(out); break;
    }
}
