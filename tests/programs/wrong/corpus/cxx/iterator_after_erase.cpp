/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* note: the loop goes on with an iterator of the element that it erased */
#include <list>

int main()
{
    std::list<int> items{1, 2, 3};
    for (auto i = items.begin(); i != items.end();) {
        if (*i == 2)
            items.erase(i);
        ++i;
    }
    return (int)items.size() - 2;
}
