/* SPDX-License-Identifier: Apache-2.0 */
/* What a translation unit's comments say. */
#ifndef ANNOTATE_UNIT_H
#define ANNOTATE_UNIT_H

#include "annotate/annotate_code.h"

/* The words of the language, in the order of `annotate_words`. */
enum word {
    WORD_STRUCTURE,
    WORD_DECLARE_STRUCT,
    WORD_DECLARE_VAR,
    WORD_INIT_VAR,
    WORD_DEFINE_FUNC,
    WORD_HAPPENS_BEFORE,
    WORD_INTERFACE,
    WORD_METHOD,
    WORD_POINT_SET,
    WORD_HB_CONDITION,
    WORD_ID,
    WORD_OBJECT,
    WORD_PRE,
    WORD_SIDE,
    WORD_POST,
    WORD_POTENTIAL,
    WORD_CHECK,
    WORD_LABEL_CHECK,
    WORD_CLEAR,
    WORD_POTENTIAL_LABEL,
    WORD_LABEL,
    WORDS,
    WORD_OTHER = WORDS, /* @param and the like: documentation */
    WORD_WRONG,         /* looks like an annotation */
};
extern const char *const annotate_words[WORDS];

/* From one word to the next. */
struct piece {
    enum word word;
    struct place at;
    size_t begin, end; /* of the rest, in the comment */
};

struct comment {
    size_t token;  /* the first, and */
    size_t tokens; /* how many: lines of // that follow one another are one comment */
    size_t at, length;
    char *text; /* without stars and slashes, which are spaces */
    VEC(struct piece) pieces;
};

struct named_place {
    const char *name;
    struct place at;
};

enum scope_kind { SCOPE_FILE, SCOPE_NAMESPACE, SCOPE_CLASS, SCOPE_BLOCK };

struct scope {
    enum scope_kind kind;
    size_t parent; /* itself: the outermost */
    const char *name;
    bool in_function; /* it, or one around it, is a block */
};

struct static_member {
    const char *class_name, *name;
};

struct variable {
    const char *name;
    bool pointer, array;
};

struct rule {
    struct named_place from, from_condition, to, to_condition; /* null names: no condition */
};

struct structure {
    struct place at;
    size_t comment, scope;
    const char *id; /* ends the names of what is generated */
    const char *name;
    VEC(struct code) structs;
    VEC(struct code) variable_code;
    VEC(struct code) inits;
    VEC(struct code) functions;
    VEC(struct variable) variables;
    VEC(const char *) function_names;
    VEC(struct rule) rules;
    struct renames renames;
};

struct condition {
    struct named_place name;
    struct code code;
};

/* A parameter: [begin, end) are its tokens, `name` the number of its name's, or 0 if it has none. */
struct parameter {
    size_t begin, end, name;
    const char *text; /* its name */
    bool pointer, array, reference, constant, pack;
};

/* Numbers of tokens in the unit. */
struct function {
    size_t begin;                    /* after template<...> and attributes */
    size_t name, name_begin;         /* name_begin: with its qualification */
    size_t open, close;              /* the parentheses of its parameters */
    size_t body, body_end;           /* braces */
    size_t result_begin, result_end; /* a trailing return type; equal: there is none */
    bool is_static, is_conversion, is_destructor;
    const char *text;       /* "Queue::push" */
    const char *class_name; /* of a member, or null */
    VEC(struct parameter) parameters;
};

struct interface {
    struct place at;
    size_t comment, scope;
    const char *id;
    const char *name;
    VEC(struct named_place) points;
    VEC(struct condition) conditions;
    struct code call_id, object, pre, side, post;
    struct structure *structure;
    struct function function;
    bool found; /* the function */
};

struct point {
    enum word word;
    struct place at;
    size_t comment, scope;
    struct named_place label, potential;
    struct code condition;
};

/* Beyond these a file is refused: what is done for each pair of annotations, or for each word and name, stays small. */
enum {
    ANNOTATIONS_MOST = 4096,
    LABELS_MOST = 4096, /* in all sets */
    NAMES_MOST = 128,   /* of a structure's variables and functions, and of a function's parameters */
    BRACES_MOST = 256,  /* one within the other */
    WORDS_MOST = 20000, /* of a clause */
    ERRORS_MOST = 100,
};

/* Numbers of other tokens; as many as there are tokens: there is none. */
struct token_links {
    size_t code;    /* the first that is neither a comment nor a directive, from this one on */
    size_t before;  /* the last such one before it, or SIZE_MAX */
    size_t closing; /* of an opening bracket */
};

struct unit {
    struct scan scan;
    VEC(struct token_links) links; /* one more than tokens */
    size_t annotations, labels;    /* how many were read */
    struct arena arena;
    struct macro_lines macros;
    VEC(struct comment) comments;
    VEC(struct scope) scopes;
    VEC(size_t) comment_scopes; /* of each comment */
    VEC(struct static_member) static_members;
    VEC(struct structure *) structures;
    VEC(struct interface *) interfaces;
    VEC(struct point *) points;
    struct annotate_result *result;
};

void unit_error(struct unit *u, const struct place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline bool unit_is(const struct unit *u, size_t token, const char *word)
{
    return token < u->scan.tokens.len && scan_token_is(u->scan.bytes, &u->scan.tokens.data[token], word);
}
static inline const struct token *unit_token(const struct unit *u, size_t i)
{
    return &u->scan.tokens.data[i];
}
struct place unit_place(const struct unit *u, size_t token);
const char *unit_text(struct unit *u, size_t begin, size_t end); /* tokens [begin, end), in the arena */
/* The same of a type, without attributes and what is `dropped`, such as storage classes; ends with a null pointer. */
const char *unit_type_text(struct unit *u, size_t begin, size_t end, const char *const *dropped);
char *unit_print(struct unit *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The next token that is neither a comment nor a directive. */
size_t unit_next(const struct unit *u, size_t token);
size_t unit_before(const struct unit *u, size_t token); /* SIZE_MAX: there is none */
/* int, const, struct: words of types, which name nothing. */
bool unit_is_type_word(const char *word, size_t length);
/* From an opening bracket to the closing one, or the number of tokens. */
size_t unit_closing(const struct unit *u, size_t open);

/* The text with the columns that the user's has. */
void columns_restore(const struct scan *scan, struct text *to);
/* Comments with annotations, in pieces. */
void unit_find_comments(struct unit *u);
/* Classes, namespaces and blocks around each of them. False: there are too many, with an error. */
bool unit_find_scopes(struct unit *u);
/* Pieces become structures, interfaces and points. False: there are too many, with an error. */
bool unit_read_pieces(struct unit *u);
struct code code_read(struct unit *u, const struct comment *comment, size_t begin, size_t end);
/* Names of declarations: "int a, *b[2];". */
void structure_read_variables(struct unit *u, struct structure *s, const struct code *code);
void structure_read_functions(struct unit *u, struct structure *s, const struct code *code);
bool structure_read_rules(struct unit *u, struct structure *s, const struct code *code);
/* The definition that follows an interface's comment. */
bool unit_find_function(struct unit *u, struct interface *i);
/* What belongs together does: structures of interfaces, labels, names in rules. */
void unit_resolve(struct unit *u);

/* --- output --- */

/* Replaces bytes [begin, end) of the text; the emitter's text becomes its own. */
struct edit {
    size_t begin, end, order;
    struct emitter with;
};
struct edits {
    VEC(struct edit) list;
};
struct emitter *edit_at(struct edits *edits, size_t begin, size_t end);
void edits_apply(struct unit *u, struct edits *edits);

void generate_point(struct unit *u, const struct point *p, struct edits *edits);
void generate_c_structure(struct unit *u, struct structure *s, struct edits *edits);
void generate_c_interface(struct unit *u, struct interface *i, struct edits *edits);
void generate_cxx_structure(struct unit *u, struct structure *s, struct edits *edits);
void generate_cxx_interface(struct unit *u, struct interface *i, struct edits *edits);

#endif
