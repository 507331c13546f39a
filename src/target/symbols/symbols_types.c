/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_types.h"

#include "target/symbols/symbols_module.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

/* Files may be wrong in any way: types that contain themselves end here. */
enum { PEELS_MOST = 32, DEPTH_MOST = 32, VISITS_MOST = 20000, DIMENSIONS_MOST = 8 };

static bool is_wrapper(int tag)
{
    return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
           tag == DW_TAG_atomic_type || tag == DW_TAG_restrict_type;
}

bool symbols_type_peel(Dwarf_Die *type, Dwarf_Die *out)
{
    Dwarf_Die die = *type, next;
    for (int i = 0; i < PEELS_MOST; i++) {
        if (!is_wrapper(dwarf_tag(&die))) {
            *out = die;
            return true;
        }
        if (!symbols_die_reference(&die, DW_AT_type, &next))
            return false;
        die = next;
    }
    return false;
}

static bool read_number(Dwarf_Die *die, unsigned name, uint64_t *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    if (dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &word) != 0)
        return false;
    *number = word;
    return true;
}

/* --- sizes and arrays --------------------------------------------------------------------------- */

struct dimensions {
    uint64_t counts[DIMENSIONS_MOST]; /* 0: not known, as of a flexible array member */
    unsigned count;
};

static uint64_t count_of_subrange(Dwarf_Die *die)
{
    uint64_t number, lower = 0;
    if (read_number(die, DW_AT_count, &number))
        return number;
    read_number(die, DW_AT_lower_bound, &lower);
    return read_number(die, DW_AT_upper_bound, &number) && number >= lower ? number - lower + 1 : 0;
}

static struct dimensions dimensions_of_array(Dwarf_Die *array)
{
    struct dimensions d = {.count = 0};
    Dwarf_Die die;
    for (bool more = dwarf_child(array, &die) == 0; more; more = symbols_next_die(&die))
        if (dwarf_tag(&die) == DW_TAG_subrange_type && d.count < DIMENSIONS_MOST)
            d.counts[d.count++] = count_of_subrange(&die);
    return d;
}

static uint64_t size_within(Dwarf_Die *type, unsigned depth)
{
    Dwarf_Die die, element;
    uint64_t size;
    if (depth > DEPTH_MOST || !symbols_type_peel(type, &die))
        return 0;
    if (read_number(&die, DW_AT_byte_size, &size))
        return size;
    int tag = dwarf_tag(&die);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type)
        return sizeof(void *);
    if (tag != DW_TAG_array_type || !symbols_die_reference(&die, DW_AT_type, &element))
        return 0;
    struct dimensions d = dimensions_of_array(&die);
    size = size_within(&element, depth + 1);
    for (unsigned i = 0; i < d.count; i++)
        if (__builtin_mul_overflow(size, d.counts[i], &size))
            return 0;
    return size;
}

uint64_t symbols_type_size(Dwarf_Die *type)
{
    return size_within(type, 0);
}

/* --- members ------------------------------------------------------------------------------------ */

struct walk {
    unsigned visits;
    struct text *path;
    bool quiet;         /* inside of a library's type */
    bool holder;        /* all of it is a library's, which holds an object of the program */
    size_t start;       /* of the path */
    Dwarf_Die argument; /* of the template that the last member entered belongs to */
    bool has_argument;
};

/* Steps into the element that holds the access; false when none does. A null path is not added to. */
static bool enter_element(Dwarf_Die *type, uint64_t *offset, uint64_t size, struct text *path)
{
    Dwarf_Die element;
    if (!symbols_die_reference(type, DW_AT_type, &element))
        return false;
    uint64_t stride = symbols_type_size(&element);
    if (!stride || *offset % stride + size > stride)
        return false;
    struct dimensions d = dimensions_of_array(type);
    uint64_t rest = *offset / stride, indices[DIMENSIONS_MOST];
    for (unsigned i = d.count; i-- > 0;) {
        indices[i] = i && d.counts[i] ? rest % d.counts[i] : rest;
        rest = i && d.counts[i] ? rest / d.counts[i] : 0;
    }
    for (unsigned i = 0; i < d.count && path; i++)
        text_printf(path, "[%" PRIu64 "]", indices[i]);
    *offset %= stride;
    *type = element;
    return true;
}

static uint64_t offset_of_member(Dwarf_Die *member)
{
    uint64_t offset;
    if (read_number(member, DW_AT_data_member_location, &offset))
        return offset;
    return read_number(member, DW_AT_data_bit_offset, &offset) ? offset / 8 : 0;
}

static bool is_open_array(Dwarf_Die *type)
{
    Dwarf_Die die;
    return symbols_type_peel(type, &die) && dwarf_tag(&die) == DW_TAG_array_type && !symbols_type_size(&die);
}

bool symbols_type_is_open(Dwarf_Die *type)
{
    Dwarf_Die die, member, member_type;
    bool open = false;
    if (!symbols_type_peel(type, &die) || dwarf_tag(&die) != DW_TAG_structure_type)
        return false;
    for (bool more = dwarf_child(&die, &member) == 0; more; more = symbols_next_die(&member))
        if (dwarf_tag(&member) == DW_TAG_member && symbols_die_reference(&member, DW_AT_type, &member_type))
            open = is_open_array(&member_type);
    return open;
}

/* A base class without members has a byte, which is none of the object's. */
static bool is_empty_base(Dwarf_Die *base, Dwarf_Die *type)
{
    Dwarf_Die die;
    if (dwarf_tag(base) != DW_TAG_inheritance || symbols_type_size(type) != 1)
        return false;
    for (bool more = dwarf_child(type, &die) == 0; more; more = symbols_next_die(&die))
        if (dwarf_tag(&die) == DW_TAG_member && !dwarf_hasattr(&die, DW_AT_external))
            return false;
    return true;
}

/* A member or base class around the access, with its type and place. Virtual bases have no fixed place. */
static bool member_holds(Dwarf_Die *member, uint64_t offset, uint64_t size, Dwarf_Die *type, uint64_t *start)
{
    int tag = dwarf_tag(member);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(member, DW_AT_external) ||
        dwarf_hasattr(member, DW_AT_virtuality) || !symbols_die_reference(member, DW_AT_type, type) ||
        is_empty_base(member, type))
        return false;
    *start = offset_of_member(member);
    uint64_t length = symbols_type_size(type), end;
    return *start <= offset &&
           (is_open_array(type) || (!__builtin_add_overflow(*start, length, &end) && offset + size <= end));
}

static bool is_aggregate(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool leads_to_match(struct walk *w, Dwarf_Die *type, uint64_t offset, uint64_t size, unsigned depth);

/* Of several members (of a union) the one that has a part exactly as large as the access, else the first. */
static bool pick_member(struct walk *w, Dwarf_Die *type, uint64_t offset, uint64_t size, unsigned depth,
                        Dwarf_Die *picked, bool *match)
{
    Dwarf_Die member, member_type;
    uint64_t start;
    bool found = false;
    *match = false;
    for (bool more = dwarf_child(type, &member) == 0; more && !*match; more = symbols_next_die(&member)) {
        if (w->visits++ > VISITS_MOST)
            break;
        if (!member_holds(&member, offset, size, &member_type, &start))
            continue;
        *match = leads_to_match(w, &member_type, offset - start, size, depth + 1);
        if (!found || *match)
            *picked = member;
        found = true;
    }
    return found;
}

static bool leads_to_match(struct walk *w, Dwarf_Die *type, uint64_t offset, uint64_t size, unsigned depth)
{
    Dwarf_Die die, member;
    bool match = false;
    if (depth > DEPTH_MOST || w->visits++ > VISITS_MOST || !symbols_type_peel(type, &die))
        return false;
    if (offset == 0 && symbols_type_size(&die) == size)
        return true;
    if (is_aggregate(dwarf_tag(&die)))
        return pick_member(w, &die, offset, size, depth, &member, &match) && match;
    return dwarf_tag(&die) == DW_TAG_array_type && enter_element(&die, &offset, size, NULL) &&
           leads_to_match(w, &die, offset, size, depth + 1);
}

/* What the libraries keep inside their own types says nothing to their users: `top` rather than `top._M_b._M_p`. */
static bool is_innard(Dwarf_Die *member)
{
    const char *name = dwarf_diename(member), *file;
    return name && *name == '_' && (file = dwarf_decl_file(member)) && symbols_is_system_file(file);
}

static bool enter_member(struct walk *w, Dwarf_Die *type, uint64_t *offset, uint64_t size)
{
    Dwarf_Die member, member_type;
    uint64_t start;
    bool match;
    if (!pick_member(w, type, *offset, size, 0, &member, &match) ||
        !member_holds(&member, *offset, size, &member_type, &start))
        return false;
    const char *name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
    w->quiet = w->quiet || (is_innard(&member) && !w->holder);
    w->has_argument = symbols_type_argument(type, &w->argument);
    if (name && !w->quiet)
        text_printf(w->path, ".%s", name);
    if (w->has_argument && member_type.addr == w->argument.addr) /* the user's own again */
        w->quiet = false;
    *offset -= start;
    *type = member_type;
    return true;
}

/* Room for an object inside of a library's type: for its users the object is all there is. */
static bool enter_room(struct walk *w, Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    if (!name || strncmp(name, "__aligned_", 10) != 0 || !symbols_type_argument(type, type))
        return false;
    if (w->holder && w->path->len > w->start)
        w->path->data[w->path->len = w->start] = 0;
    w->quiet = w->holder = false;
    return true;
}

/* Elements of `std::array` are those that its users know, other arrays inside of libraries are not. */
static bool is_element_shown(const struct walk *w, Dwarf_Die *array)
{
    Dwarf_Die element;
    return !w->quiet || (w->has_argument && symbols_die_reference(array, DW_AT_type, &element) &&
                         element.addr == w->argument.addr);
}

static bool enter_part(struct walk *w, Dwarf_Die *type, uint64_t *offset, uint64_t size)
{
    if (dwarf_tag(type) == DW_TAG_array_type)
        return enter_element(type, offset, size, is_element_shown(w, type) ? w->path : NULL);
    return is_aggregate(dwarf_tag(type)) && (enter_room(w, type) || enter_member(w, type, offset, size));
}

void symbols_type_walk(Dwarf_Die *type, uint64_t *offset, uint64_t size, struct text *path)
{
    struct walk w = {.path = path, .start = path->len, .holder = symbols_type_is_holder(type)};
    uint64_t least = size && size != SYMBOLS_WHOLE ? size : 1;
    for (int depth = 0; depth < DEPTH_MOST && (w.holder || size != SYMBOLS_WHOLE || *offset); depth++) {
        Dwarf_Die die;
        if (!symbols_type_peel(type, &die))
            return;
        *type = die;
        if (!enter_part(&w, type, offset, least))
            break;
    }
}

/* --- values ------------------------------------------------------------------------------------- */

static int64_t extend_sign(uint64_t value, uint64_t size)
{
    unsigned unused = size >= 1 && size < 8 ? 64 - 8 * (unsigned)size : 0;
    return (int64_t)(value << unused) >> unused;
}

static uint64_t cut(uint64_t value, uint64_t size)
{
    return size >= 1 && size < 8 ? value & ((UINT64_C(1) << 8 * size) - 1) : value;
}

enum symbols_value_kind symbols_type_value_kind(Dwarf_Die *type)
{
    Dwarf_Die die;
    if (!symbols_type_peel(type, &die))
        return SYMBOLS_VALUE_OTHER;
    switch (dwarf_tag(&die)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return SYMBOLS_VALUE_POINTER;
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type: return SYMBOLS_VALUE_NUMBER;
    default: return SYMBOLS_VALUE_OTHER;
    }
}

static const char *find_enumerator(Dwarf_Die *type, uint64_t size, uint64_t value)
{
    Dwarf_Die die;
    for (bool more = dwarf_child(type, &die) == 0; more; more = symbols_next_die(&die)) {
        Dwarf_Attribute attribute;
        Dwarf_Sword number;
        if (dwarf_tag(&die) == DW_TAG_enumerator &&
            dwarf_formsdata(dwarf_attr(&die, DW_AT_const_value, &attribute), &number) == 0 &&
            cut((uint64_t)number, size) == cut(value, size))
            return dwarf_diename(&die);
    }
    return NULL;
}

/* What a member of up to eight bytes has of the value; false: it is no number. */
static bool add_member(Dwarf_Die *member, uint64_t value, struct text *out)
{
    Dwarf_Die type;
    uint64_t bits, first = 8 * offset_of_member(member);
    if (!symbols_die_reference(member, DW_AT_type, &type))
        return false;
    uint64_t size = symbols_type_size(&type);
    if (read_number(member, DW_AT_bit_size, &bits)) {
        if (!read_number(member, DW_AT_data_bit_offset, &first) || bits == 0 || bits >= 64)
            return false;
        value = first < 64 ? value >> first & ((UINT64_C(1) << bits) - 1) : 0;
    } else {
        value = first < 64 ? value >> first : 0;
    }
    text_printf(out, "%s ", dwarf_diename(member) ? dwarf_diename(member) : "?");
    return size && symbols_type_add_value(&type, size, value, out);
}

/* "{index 2, tag 0}": of a structure that is read and written as a whole. */
static bool add_members(Dwarf_Die *type, uint64_t value, struct text *out)
{
    struct text members = {0};
    Dwarf_Die die;
    bool all = dwarf_tag(type) == DW_TAG_structure_type;
    for (bool more = all && dwarf_child(type, &die) == 0; more; more = all && symbols_next_die(&die))
        if (dwarf_tag(&die) == DW_TAG_member) {
            text_puts(&members, members.len ? ", " : "");
            all = add_member(&die, value, &members);
        }
    all = all && members.len;
    if (all)
        text_printf(out, "{%s}", members.data);
    text_free(&members);
    return all;
}

bool symbols_type_add_value(Dwarf_Die *type, uint64_t size, uint64_t value, struct text *out)
{
    Dwarf_Die die;
    uint64_t encoding = 0;
    if (!symbols_type_peel(type, &die))
        return false;
    if (is_aggregate(dwarf_tag(&die)))
        return size <= sizeof value && add_members(&die, value, out);
    if (symbols_type_value_kind(&die) != SYMBOLS_VALUE_NUMBER)
        return false;
    if (dwarf_tag(&die) == DW_TAG_enumeration_type) {
        const char *name = find_enumerator(&die, size, value);
        if (name)
            text_puts(out, name);
        else
            text_printf(out, "%" PRId64, extend_sign(value, size));
        return true;
    }
    read_number(&die, DW_AT_encoding, &encoding);
    if (encoding == DW_ATE_boolean && cut(value, size) < 2)
        text_puts(out, cut(value, size) ? "true" : "false");
    else if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
        text_printf(out, "%" PRId64, extend_sign(value, size));
    else if (encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char || encoding == DW_ATE_boolean)
        text_printf(out, "%" PRIu64, cut(value, size));
    else
        return false;
    return true;
}

bool symbols_type_target(Dwarf_Die *pointer, Dwarf_Die *target)
{
    Dwarf_Die die;
    return symbols_type_peel(pointer, &die) && dwarf_tag(&die) == DW_TAG_pointer_type &&
           symbols_die_reference(&die, DW_AT_type, target);
}

/* A structure without a name of its own has that of its typedef. */
const char *symbols_type_name(Dwarf_Die *type, Dwarf_Die *peeled)
{
    Dwarf_Die die = *type, next;
    const char *name = NULL;
    for (int i = 0; i < PEELS_MOST && is_wrapper(dwarf_tag(&die)); i++) {
        if (dwarf_tag(&die) == DW_TAG_typedef)
            name = dwarf_diename(&die);
        if (!symbols_die_reference(&die, DW_AT_type, &next))
            return NULL;
        die = next;
    }
    *peeled = die;
    bool own = dwarf_diename(&die) && (is_aggregate(dwarf_tag(&die)) || !name);
    return own ? dwarf_diename(&die) : name;
}

/* `_List_node<T>` and the like, which hold a T of the program. */
bool symbols_type_is_holder(Dwarf_Die *type)
{
    Dwarf_Die die;
    return symbols_type_peel(type, &die) && is_aggregate(dwarf_tag(&die)) && is_innard(&die);
}

bool symbols_type_argument(Dwarf_Die *type, Dwarf_Die *argument)
{
    Dwarf_Die die;
    for (bool more = dwarf_child(type, &die) == 0; more; more = symbols_next_die(&die))
        if (dwarf_tag(&die) == DW_TAG_template_type_parameter)
            return symbols_die_reference(&die, DW_AT_type, argument);
    return false;
}

const char *symbols_type_pointee(Dwarf_Die *pointer, Dwarf_Die *pointee)
{
    return symbols_type_target(pointer, pointee) ? symbols_type_name(pointee, pointee) : NULL;
}
