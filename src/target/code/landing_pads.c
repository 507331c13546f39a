/* SPDX-License-Identifier: Apache-2.0 */
/* Two tables: .eh_frame has an entry for each function, which says where its call sites are listed, and .gcc_except_table has
 * the lists. Both are read as the C++ ABI for x86-64 describes them. */
#include "target/code/landing_pads.h"

#include <dwarf.h>
#include <string.h>

/* Bytes of a section that are read from the front; `at` is the address of the first one. */
struct bytes {
    const uint8_t *data;
    size_t left;
    uint64_t at;
    bool broken;
};

static uint64_t take(struct bytes *b, size_t size)
{
    uint64_t value = 0;
    if (b->left < size) {
        b->broken = true;
        b->left = 0;
        return 0;
    }
    memcpy(&value, b->data, size);
    b->data += size;
    b->at += size;
    b->left -= size;
    return value;
}

static uint64_t take_variable(struct bytes *b, bool is_signed)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = take(b, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            bool negative = is_signed && byte & 0x40 && shift + 7 < 64;
            return negative ? value | ~UINT64_C(0) << (shift + 7) : value;
        }
    }
    b->broken = true;
    return 0;
}

/* An address or a number as `encoding` says. */
static uint64_t take_encoded(struct bytes *b, unsigned encoding)
{
    uint64_t here = b->at, value = 0;
    switch (encoding & 0x0f) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8: value = take(b, 8); break;
    case DW_EH_PE_uleb128: value = take_variable(b, false); break;
    case DW_EH_PE_sleb128: value = take_variable(b, true); break;
    case DW_EH_PE_udata2: value = take(b, 2); break;
    case DW_EH_PE_udata4: value = take(b, 4); break;
    case DW_EH_PE_sdata2: value = (uint64_t)(int16_t)take(b, 2); break;
    case DW_EH_PE_sdata4: value = (uint64_t)(int32_t)take(b, 4); break;
    default: b->broken = true;
    }
    unsigned relative = encoding & 0x70;
    b->broken |= relative != 0 && relative != DW_EH_PE_pcrel;
    return value && relative == DW_EH_PE_pcrel ? value + here : value;
}

/* --- call sites ------------------------------------------------------------------------------------ */

static void add_site(struct landing_pads *p, uint64_t from, uint64_t length, uint64_t pad)
{
    if (length)
        vec_push(&p->sites, ((struct landing_site){from, from + length, pad}));
}

static void read_sites(struct landing_pads *p, struct bytes *b, uint64_t function)
{
    unsigned encoding = (unsigned)take(b, 1);
    uint64_t pads = encoding == DW_EH_PE_omit ? function : take_encoded(b, encoding);
    encoding = (unsigned)take(b, 1);
    if (encoding != DW_EH_PE_omit)
        take_variable(b, false);
    encoding = (unsigned)take(b, 1);
    uint64_t length = take_variable(b, false);
    b->broken |= length > b->left;
    if (!b->broken)
        b->left = length;
    while (b->left && !b->broken) {
        uint64_t from = take_encoded(b, encoding), size = take_encoded(b, encoding);
        uint64_t pad = take_encoded(b, encoding);
        take_variable(b, false);
        if (pad && !b->broken)
            add_site(p, function + from, size, pads + pad);
    }
}

/* --- functions ------------------------------------------------------------------------------------- */

struct tables {
    struct bytes frames, sites;
};

struct common { /* what entries of several functions have in common */
    unsigned code, site;
    bool has_size, has_sites;
};

/* More than 8 bytes at once. */
static void skip(struct bytes *b, uint64_t size)
{
    b->broken |= size > b->left;
    size = b->broken ? 0 : size;
    b->data += size;
    b->at += size;
    b->left -= size;
}

static struct common read_common(struct bytes b)
{
    struct common c = {.code = DW_EH_PE_absptr, .site = DW_EH_PE_omit};
    unsigned version = (unsigned)take(&b, 1);
    const uint8_t *text = b.data, *end = memchr(b.data, 0, b.left);
    skip(&b, end ? (uint64_t)(end - text) + 1 : UINT64_MAX);
    take_variable(&b, false);
    take_variable(&b, true);
    version == 1 ? take(&b, 1) : take_variable(&b, false);
    for (; !b.broken && *text; text++) {
        if (*text == 'z') {
            c.has_size = true;
            take_variable(&b, false);
        } else if (*text == 'R') {
            c.code = (unsigned)take(&b, 1);
        } else if (*text == 'L') {
            c.site = (unsigned)take(&b, 1);
            c.has_sites = true;
        } else if (*text == 'P') {
            unsigned encoding = (unsigned)take(&b, 1) & 0x7f;
            take_encoded(&b, encoding & 0x0f); /* wherever it is relative to */
        }
    }
    return c;
}

static bool read_function(struct landing_pads *p, const struct tables *t, struct bytes b,
                          const struct common *c)
{
    uint64_t function = take_encoded(&b, c->code);
    take_encoded(&b, c->code & 0x0f);
    if (!c->has_size || !c->has_sites)
        return !b.broken;
    take_variable(&b, false);
    uint64_t list = take_encoded(&b, c->site);
    if (b.broken || !list)
        return !b.broken;
    uint64_t offset = list - t->sites.at;
    struct bytes sites = t->sites;
    if (list < t->sites.at || offset > t->sites.left)
        return false;
    skip(&sites, offset);
    read_sites(p, &sites, function);
    return !sites.broken;
}

/* Each entry begins with its length and where its common part is, as a distance back; 0: it is such a part. */
static bool read_entries(struct landing_pads *p, const struct tables *t)
{
    struct bytes all = t->frames;
    while (all.left && !all.broken) {
        uint64_t length = take(&all, 4);
        if (length == 0)
            continue;
        if (length > all.left || length < 4) /* 64-bit lengths are not used */
            return false;
        struct bytes b = all;
        b.left = length;
        skip(&all, length);
        uint64_t here = b.at, back = take(&b, 4);
        if (back == 0)
            continue;
        struct bytes common = t->frames;
        if (back > here - t->frames.at)
            return false;
        skip(&common, here - back - t->frames.at + 8); /* behind its length and the zero */
        struct common c = read_common(common);
        if (!read_function(p, t, b, &c))
            return false;
    }
    return !all.broken;
}

/* --- all ------------------------------------------------------------------------------------------- */

static struct bytes find_section(Elf *elf, const char *wanted)
{
    size_t names;
    GElf_Shdr header;
    for (Elf_Scn *s = NULL; elf_getshdrstrndx(elf, &names) == 0 && (s = elf_nextscn(elf, s));) {
        const char *name = gelf_getshdr(s, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        Elf_Data *data = name && strcmp(name, wanted) == 0 ? elf_getdata(s, NULL) : NULL;
        if (data && data->d_buf)
            return (struct bytes){data->d_buf, data->d_size, header.sh_addr, false};
    }
    return (struct bytes){0};
}

static int compare_sites(const void *x, const void *y)
{
    const struct landing_site *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

bool landing_pads_find(struct landing_pads *p, Elf *elf)
{
    *p = (struct landing_pads){0};
    struct tables t = {find_section(elf, ".eh_frame"), find_section(elf, ".gcc_except_table")};
    bool fine = read_entries(p, &t);
    if (p->sites.len)
        qsort(p->sites.data, p->sites.len, sizeof *p->sites.data, compare_sites);
    return fine;
}

void landing_pads_free(struct landing_pads *p)
{
    vec_free(&p->sites);
}

uint64_t landing_pads_of(const struct landing_pads *p, uint64_t call)
{
    size_t low = 0, high = p->sites.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->sites.data[middle].to <= call)
            low = middle + 1;
        else
            high = middle;
    }
    const struct landing_site *s = low < p->sites.len ? &p->sites.data[low] : NULL;
    return s && s->from <= call ? s->pad : 0;
}
