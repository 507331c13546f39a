/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* known-clang: holds */
/* mode: all */
/* flags-plumb: -v */
/* named-clang: where their thread has entered another */
/* note: the inner lambda refers to a variable of the outer one, which has returned; with clang it runs in the place of that frame */
int main()
{
    auto inner = [] {
        int local = 1;
        return [&] { return local; };
    }();
    inner();
    return 0;
}
