/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* note: the inner lambda refers to a variable of the outer one, which has returned */
int main()
{
    auto inner = [] {
        int local = 1;
        return [&] { return local; };
    }();
    inner();
    return 0;
}
