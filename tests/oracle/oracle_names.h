/* SPDX-License-Identifier: Apache-2.0 */
/* Names of operations as numbers, for the files of the oracle. */
#ifndef TESTS_ORACLE_NAMES_H
#define TESTS_ORACLE_NAMES_H

/* clang-format off */
#define NAMES(X)                                                                                             \
    X(enq)                                                                                                   \
    X(deq)                                                                                                   \
    X(peek) X(push) X(pop) X(push_front) X(push_back) X(pop_front) X(pop_back) X(insert) X(delete_min)       \
        X(min) X(add) X(remove) X(contains) X(count) X(take) X(put) X(get) X(put_if_absent) X(append)        \
            X(write) X(read) X(cas) X(fetch_add) X(update) X(scan) X(acquire) X(try_acquire) X(release)      \
                X(read_lock) X(try_read_lock) X(read_unlock) X(write_lock) X(try_write_lock) X(write_unlock) \
                    X(set) X(reset) X(wait) X(is_set) X(count_down) X(arrive) X(peek_front) X(peek_back) X(txn)     \
                        X(size) X(is_empty) X(items) X(clear) X(drain)
/* clang-format on */

enum name {
#define X(n) NAME_##n,
    NAMES(X)
#undef X
};

#endif
