#include "annotate/annotate_generate.h"
void generate_cxx_structure(struct unit *u, struct structure *s, struct edits *edits)
{
    (void)u;
    (void)s;
    (void)edits;
}
void generate_cxx_interface(struct unit *u, struct interface *i, struct edits *edits)
{
    (void)u;
    (void)i;
    (void)edits;
}
