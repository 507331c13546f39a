/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/bit_fields.h"

#include "base/text.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool is_bit_field(Dwarf_Die *die)
{
    return dwarf_tag(die) == DW_TAG_member &&
           (dwarf_hasattr(die, DW_AT_bit_size) || dwarf_hasattr(die, DW_AT_data_bit_offset));
}

static bool may_have_types(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_namespace:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block: return true;
    default: return false;
    }
}

static char *describe_user_field(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    struct text t = {0};
    int line = 0;
    if (!file || strncmp(file, "/usr/", 5) == 0)
        return NULL;
    dwarf_decl_line(die, &line);
    text_printf(&t, "%s:%d", file, line);
    return text_take(&t);
}

static char *search_children(Dwarf_Die *parent)
{
    Dwarf_Die die;
    char *found = NULL;
    if (dwarf_child(parent, &die) != 0)
        return NULL;
    do {
        if (is_bit_field(&die))
            found = describe_user_field(&die);
        else if (may_have_types(&die))
            found = search_children(&die);
    } while (!found && dwarf_siblingof(&die, &die) == 0);
    return found;
}

static char *search_all(Dwarf *dwarf)
{
    Dwarf_Off offset = 0, next;
    size_t header;
    char *found = NULL;
    for (; !found && dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0; offset = next) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, offset + header, &unit))
            found = search_children(&unit);
    }
    return found;
}

char *bit_fields_find(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    char *found = dwarf ? search_all(dwarf) : NULL;
    if (dwarf)
        dwarf_end(dwarf);
    if (fd >= 0)
        close(fd);
    return found;
}
