/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: what looks like an access across the end of a variable and is none */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hack {
    int n;
    char text[1];
};

struct open {
    int n;
    char text[];
};

struct whole {
    int first;
    char name[8];
    int last;
};

static struct open initialised = {5, "hello"};

/* An array that the linker makes. */
__attribute__((section("numbers"))) int one = 1;
__attribute__((section("numbers"))) int two = 2;
extern int __start_numbers[], __stop_numbers[];

static void structures(void)
{
    char room[64];
    struct hack *h = malloc(sizeof *h + 10), *there = (struct hack *)room;
    strcpy(h->text, "0123456789");
    strcpy(there->text, h->text);
    free(h);
    struct open *o = alloca(sizeof *o + 11);
    strcpy(o->text, "0123456789");
    puts(initialised.text);
    struct whole w, copy;
    memset(&w.name, 0, sizeof w - sizeof w.first);
    memset(&w, 0, sizeof w);
    strncpy(w.name, "12345678", sizeof w.name); /* without end */
    memcpy(&copy, &w, sizeof w);
    printf("%.8s\n", copy.name);
    union {
        char small[4], large[16];
    } u;
    strcpy(u.small, "long enough");
}

static void arrays(int n)
{
    int numbers[2];
    memcpy(numbers, __start_numbers, (size_t)((char *)__stop_numbers - (char *)__start_numbers));
    char rows[2][8], variable[n];
    memset(rows[0], 1, sizeof rows);
    memset(variable, 0, (size_t)n);
    char *literal = (char[20]){0};
    strcpy(literal, "0123456789012345678");
    char text[8];
    snprintf(text, 1000, "short"); /* says more than there is, and needs less */
    strncat(strcpy(text, "a"), "b", 500);
    printf("%.4s\n", memcpy(text, "abcd", 4));
}

static inline void put(char *to, size_t n)
{
    char part[4];
    memset(part, 'a', sizeof part);
    memcpy(to, part, n);
}

static void blocks(int which)
{
    if (which) {
        char small[8];
        put(small, 4);
        put(small + 4, 4);
    } else {
        char large[16];
        put(large + 12, 4);
    }
}

static void descend(char *to, int n)
{
    char here[8] = "abcdefg";
    if (n)
        descend(here, n - 1);
    memcpy(to, here, sizeof here);
}

static int compare(const void *a, const void *b)
{
    char copy[4];
    memcpy(copy, a, sizeof copy);
    return memcmp(copy, b, sizeof copy);
}

int main(void)
{
    char text[8];
    int list[3] = {3, 1, 2};
    structures();
    arrays(7);
    arrays(20);
    blocks(0);
    blocks(1);
    descend(text, 3);
    qsort(list, 3, sizeof *list, compare);
    return 0;
}
