/* SPDX-License-Identifier: Apache-2.0 */
/* The preprocessor. */
#define N 3
#define NEXT(v) ((v + 1) % N)
#define SWAP(a, b) d_step { t = a; \
        a = b; b = t }
#define CELL(n) cell_ ## n
#if N > 2 && !defined(SMALL) || 0
byte CELL(a), CELL(b) = 1;
#else
#error "not here"
#endif
active [2] proctype p()
{
    byte t;
#ifdef SMALL
    nonsense
#elif N == 3
    do :: cell_a = NEXT(cell_a) :: SWAP(cell_a, cell_b) od
#endif
}
