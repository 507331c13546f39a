/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: what is read is what was written, by one run at a time. The hash is no secret, so members are judged by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "target/checkpoint.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHECK_AT = 16, COUNTS_AT = 48, SIZES_AT = COUNTS_AT + sizeof(struct checkpoint_counts) };

static void make(struct text *t)
{
    struct checkpoint c = {.code = 7, .options = 8, .layout = 9};
    struct pool_object o = {.address = 0x7f0010, .locked = 1};
    c.counts = (struct checkpoint_counts){.executions = 10, .complete = 7, .blocked = 2, .steps = 100};
    strcpy(c.counts.unsupported, "a name");
    vec_push(&c.objects, o);
    vec_push(&c.part_sizes, (uint64_t)2);
    vec_push(&c.part_sizes, (uint64_t)3);
    for (const char *bytes = "abcde"; *bytes; bytes++)
        vec_push(&c.bytes, *bytes);
    checkpoint_print(&c, t);
    checkpoint_free(&c);
}

static bool reads(struct text *t, struct diagnostic *why)
{
    struct checkpoint c = {0};
    const size_t from = CHECK_AT + sizeof(uint64_t);
    uint64_t check = hash_bytes(t->data + from, t->len - from);
    memcpy(t->data + CHECK_AT, &check, sizeof check);
    *why = (struct diagnostic){0};
    bool fine = checkpoint_parse(&c, t->data, t->len, why);
    checkpoint_free(&c);
    return fine;
}

static void is_refused_with(size_t at, uint64_t value)
{
    struct text t = {0};
    struct diagnostic why;
    make(&t);
    assert_true(reads(&t, &why));
    memcpy(t.data + at, &value, sizeof value);
    assert_false(reads(&t, &why));
    assert_int_equal(why.code, PL_BAD_CHECKPOINT);
    text_free(&t);
}

#define COUNT(member) (COUNTS_AT + offsetof(struct checkpoint_counts, member))

static void members_agree(void **state)
{
    (void)state;
    is_refused_with(COUNT(executions), 8);
    is_refused_with(COUNT(executions), UINT64_MAX);
    is_refused_with(COUNT(complete), 9);
    is_refused_with(COUNT(complete), UINT64_MAX);
    is_refused_with(COUNT(blocked), 4);
    is_refused_with(COUNT(refuted), 11);
    is_refused_with(COUNT(cut), 11);
    is_refused_with(COUNT(undecided), 11);
    is_refused_with(COUNT(steps), UINT64_MAX);
    is_refused_with(COUNT(unsupported), 0x6d31335b1b); /* an escape sequence */
    is_refused_with(SIZES_AT, 2);                      /* objects */
    is_refused_with(SIZES_AT, UINT64_MAX / sizeof(uint64_t));
    is_refused_with(SIZES_AT + 8, 3);                          /* parts */
    is_refused_with(SIZES_AT + 16, 6);                         /* bytes */
    is_refused_with(SIZES_AT + 24 + sizeof(uint64_t), 0x0201); /* of an object: locked is no truth value */
    is_refused_with(SIZES_AT + 24 + sizeof(struct pool_object), 3); /* parts that are no bytes */
}

/* Whatever the bytes, with a hash that is right. */
static void nothing_breaks(void **state)
{
    (void)state;
    struct text t = {0};
    struct diagnostic why;
    uint64_t random = 5, accepted = 0;
    for (int k = 0; k < 20000; k++) {
        text_clear(&t);
        make(&t);
        for (int n = 0; n < 1 + k % 3; n++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            t.data[(random >> 33) % t.len] ^= (char)(1 << (random >> 20 & 7));
        }
        accepted += reads(&t, &why);
        assert_true(why.code == 0 || *why.message);
    }
    assert_in_range(accepted, 1, 19000); /* flips in the work and in fingerprints are seen later */
    text_free(&t);
}

/* --- files --------------------------------------------------------------------------------------- */

static char folder[64], path[80], path_new[90], path_lock[90], victim[80];

static int enter(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/checkpoint-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/F", folder);
    snprintf(path_new, sizeof path_new, "%s.new", path);
    snprintf(path_lock, sizeof path_lock, "%s.lock", path);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    int file = open(victim, O_WRONLY | O_CREAT, 0600);
    return file < 0 || write(file, "mine", 4) != 4 || close(file);
}

static int leave(void **state)
{
    (void)state;
    const char *const files[] = {path, path_new, path_lock, victim};
    for (size_t k = 0; k < 4; k++)
        unlink(files[k]);
    return rmdir(folder);
}

static void victim_is_unharmed(void)
{
    struct text t = {0};
    assert_true(text_add_file(&t, victim));
    assert_string_equal(t.data, "mine");
    text_free(&t);
}

static void links_are_not_followed(void **state)
{
    (void)state;
    struct text t = {0}, back = {0};
    struct checkpoint_lock lock = {0};
    struct diagnostic why = {0};
    struct stat status;
    make(&t);
    assert_int_equal(symlink(victim, path_new), 0);
    assert_true(checkpoint_replace_file(path, &t));
    victim_is_unharmed();
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_true(checkpoint_read_bytes(&back, path, &why));
    assert_memory_equal(back.data, t.data, t.len);
    assert_int_equal(symlink(victim, path_lock), 0);
    assert_false(checkpoint_lock(&lock, path, &why));
    assert_int_equal(why.code, PL_CANNOT_OPEN);
    checkpoint_unlock(&lock);
    victim_is_unharmed();
    text_free(&t);
    text_free(&back);
}

static void one_run_at_a_time(void **state)
{
    (void)state;
    struct checkpoint_lock first = {0}, second = {0};
    struct diagnostic why = {0};
    assert_true(checkpoint_lock(&first, path, &why));
    assert_false(checkpoint_lock(&second, path, &why));
    assert_int_equal(why.code, PL_BAD_CHECKPOINT);
    assert_non_null(strstr(why.message, "another run uses this checkpoint"));
    checkpoint_unlock(&second);
    assert_int_equal(access(path_lock, F_OK), 0);
    checkpoint_unlock(&first);
    assert_int_not_equal(access(path_lock, F_OK), 0);
    assert_int_equal(close(open(path_lock, O_WRONLY | O_CREAT, 0600)), 0); /* what a killed run leaves */
    assert_true(checkpoint_lock(&second, path, &why));
    checkpoint_unlock(&second);
}

static void size_has_a_limit(void **state)
{
    (void)state;
    struct text t = {0};
    struct diagnostic why = {0};
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(file, (off_t)5 << 30), 0);
    close(file);
    assert_false(checkpoint_read_bytes(&t, path, &why));
    assert_non_null(strstr(why.message, "more than 4 GiB"));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_agree),
        cmocka_unit_test(nothing_breaks),
        cmocka_unit_test_setup_teardown(links_are_not_followed, enter, leave),
        cmocka_unit_test_setup_teardown(one_run_at_a_time, enter, leave),
        cmocka_unit_test_setup_teardown(size_has_a_limit, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
