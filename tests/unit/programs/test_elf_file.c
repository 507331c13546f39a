/* SPDX-License-Identifier: Apache-2.0 */
/* The ELF reader on this very program, whole and damaged. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "target/code/elf_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static char *self;
static size_t self_size;

static int read_self(void **state)
{
    (void)state;
    FILE *file = fopen("/proc/self/exe", "re");
    size_t capacity = 0;
    while (!feof(file)) {
        if (capacity < self_size + 4096)
            self = base_grow(self, &capacity, self_size + 4096, 1);
        self_size += fread(self + self_size, 1, 4096, file);
    }
    fclose(file);
    return 0;
}

static int free_self(void **state)
{
    (void)state;
    free(self);
    return 0;
}

static void test_facts(void **state)
{
    (void)state;
    struct elf_facts facts = elf_read_facts(self, self_size, "libcmocka");
    assert_true(facts.is_elf && facts.is_executable && facts.needs_library);
    assert_true(facts.code != 0);
    struct elf_facts other = elf_read_facts(self, self_size, "libother");
    assert_true(other.is_executable && !other.needs_library);
    assert_true(other.code == facts.code);
}

static void test_files(void **state)
{
    (void)state;
    struct elf_facts facts;
    assert_true(elf_read_file("/proc/self/exe", "libcmocka", &facts));
    assert_true(facts.needs_library);
    assert_true(elf_read_file(__FILE__, "libcmocka", &facts) || errno == ENOENT);
    assert_false(facts.is_elf);
    assert_true(elf_read_file("/", "x", &facts));
    assert_false(facts.is_elf);
    assert_false(elf_read_file("/nowhere", "x", &facts));
}

/* In a block of exactly its size, so that a sanitizer sees a byte too much. */
static struct elf_facts read_copy(const char *bytes, size_t size)
{
    char *copy = base_alloc(size);
    memcpy(copy, bytes, size);
    struct elf_facts facts = elf_read_facts(copy, size, "libcmocka");
    free(copy);
    return facts;
}

static void test_cut_off(void **state)
{
    (void)state;
    for (size_t size = 0; size < 2000; size++)
        read_copy(self, size);
    assert_false(read_copy(self, 64).is_executable);
    assert_false(read_copy(self, 3).is_elf);
}

static void test_damaged_headers(void **state)
{
    (void)state;
    size_t size = self_size < 20000 ? self_size : 20000;
    char *damaged = base_alloc(size);
    static const unsigned char values[] = {0, 1, 2, 3, 4, 6, 0x7f, 0x80, 0xff};
    for (size_t at = 0; at < 900; at++) {
        for (size_t v = 0; v < sizeof values; v++) {
            memcpy(damaged, self, size);
            damaged[at] = (char)values[v];
            elf_read_facts(damaged, size, "libcmocka");
        }
    }
    free(damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_damaged_headers),
    };
    return cmocka_run_group_tests(tests, read_self, free_self);
}
