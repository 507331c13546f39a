/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <list>

int main()
{
    std::list<int> items{1, 2, 3};
    for (auto i = items.begin(); i != items.end();) {
        if (*i == 2)
            i = items.erase(i);
        else
            ++i;
    }
    return (int)items.size() - 2;
}
