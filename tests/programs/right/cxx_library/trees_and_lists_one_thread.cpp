/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* The runtime's own functions on nodes do what the library's do. */
#include <cassert>
#include <list>
#include <map>
#include <set>
#include <vector>

static void tree()
{
    std::map<int, int> m;
    std::vector<int> model(16, -1);
    unsigned state = 1;
    for (int round = 0; round < 200; round++) {
        state = state * 1103515245 + 12345;
        int key = state >> 16 & 15;
        if (state >> 24 & 1) {
            m[key] = model[key] = round;
        } else {
            m.erase(key);
            model[key] = -1;
        }
        auto at = m.begin();
        for (int k = 0; k < 16; k++)
            if (model[k] >= 0) {
                assert(at->first == k && at->second == model[k]);
                ++at;
            }
        assert(at == m.end());
        for (int k = 15; k >= 0; k--)
            if (model[k] >= 0)
                assert((--at)->first == k);
    }
}

static void list()
{
    std::list<int> a{3, 1, 2}, b{9, 8}, empty;
    a.sort();
    a.splice(std::next(a.begin()), b, b.begin());
    a.reverse();
    a.swap(b);
    a.swap(empty);
    assert((b == std::list<int>{3, 2, 9, 1} && empty == std::list<int>{8} && a.empty()));
    b.remove(9);
    b.merge(empty, [](int x, int y) { return x > y; });
    assert((b == std::list<int>{8, 3, 2, 1}));
}

int main()
{
    tree();
    list();
    std::multiset<int> many{2, 1, 2};
    many.erase(many.find(2));
    assert(many.size() == 2 && *many.rbegin() == 2);
}
