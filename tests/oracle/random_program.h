/* SPDX-License-Identifier: Apache-2.0 */
/* Random small programs for the explorer of graphs, their text, and smaller ones made of them. */
#ifndef TESTS_ORACLE_RANDOM_PROGRAM_H
#define TESTS_ORACLE_RANDOM_PROGRAM_H

#include "litmus/program.h"

/* The program is a function of (seed, number). `p` must be zero. */
void random_program(struct program *p, uint64_t seed, uint64_t number);
/* The same with accesses of different sizes. */
void random_mixed_program(struct program *p, uint64_t seed, uint64_t number);
/* Release sequences: stores of a thread to one place after a release store. `mixed`: of different sizes. */
void random_sequence_program(struct program *p, uint64_t seed, uint64_t number, bool mixed);

void program_copy(struct program *to, const struct program *from);

/* Thread t becomes thread to[t]. */
void program_permute(struct program *to, const struct program *from, const uint32_t *places);

/* The k-th way to make the program smaller, in place. False: there are no more ways. */
bool program_make_smaller(struct program *p, uint32_t k);

void program_print(const struct program *p);

#endif
