/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* mode: dfs */
/* flags: -DLIMIT=0x7fffffffu */
/* note: only the greatest int does it */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    if ((unsigned)n + 1 > LIMIT)
        reach_error();
    return 0;
}
