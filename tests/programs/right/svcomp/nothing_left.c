/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: dfs */
/* note: no execution meets its assumptions, so that nothing is known */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 5 && n < 8);
    reach_error();
}
