/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags: -U_GLIBCXX_ASSERTIONS */
/* note: the user's word counts: no checks of libstdc++ */
#include <vector>

int main()
{
#ifdef _GLIBCXX_ASSERTIONS
    return 1 / 0;
#endif
    std::vector<int> v(1);
    return v[0] == 7;
}
