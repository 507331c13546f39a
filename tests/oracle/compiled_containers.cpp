// SPDX-License-Identifier: Apache-2.0
// Functions of include/plumb/compiled, below the containers of libstdc++: random insertions and removals against a plain table, and the rules of red-black trees.
#include "../../include/plumb/compiled/containers.cpp"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <unordered_set>

enum { KEYS = 64 };

static void require(bool holds, const char *what)
{
    if (!holds) {
        std::printf("%s\n", what);
        std::exit(1);
    }
}

// So many black nodes are on each way down; no red one has a red child.
static int blacks(const std::_Rb_tree_node_base *n)
{
    if (!n)
        return 0;
    int left = blacks(n->_M_left), right = blacks(n->_M_right);
    require(left == right, "ways have different numbers of black nodes");
    bool red = n->_M_color == std::_S_red;
    for (const std::_Rb_tree_node_base *child : {n->_M_left, n->_M_right})
        require(!(red && child && child->_M_color == std::_S_red), "a red node has a red child");
    return left + !red;
}

static void compare(const std::set<int> &s, const bool *inside)
{
    int next = 0;
    for (int key : s) {
        while (next < key)
            require(!inside[next++], "a key is missing");
        require(key == next && inside[next++], "a key is wrong");
    }
    while (next < KEYS)
        require(!inside[next++], "a key is missing at the end");
    for (auto at = s.rbegin(); at != s.rend(); ++at)
        next--;
    require(KEYS - next == static_cast<int>(s.size()), "backwards there are others");
    blacks(s.end()._M_node->_M_parent);
}

static void try_trees(unsigned seed)
{
    std::set<int> s;
    bool inside[KEYS] = {};
    std::srand(seed);
    for (int i = 0; i < 200; i++) {
        int key = std::rand() % KEYS;
        bool adds = std::rand() & 1;
        require(adds ? s.insert(key).second != inside[key] : (s.erase(key) == 1) == inside[key],
                "an answer is wrong");
        inside[key] = adds;
        compare(s, inside);
    }
}

static void try_lists()
{
    std::list<int> all, some;
    for (int i = 0; i < 10; i++)
        all.push_back(i);
    all.reverse();
    some.splice(some.begin(), all, ++all.begin(), --all.end());
    all.remove(9);
    int next = 8;
    for (int v : some)
        require(v == next--, "a list has another order");
    require(next == 0 && all.size() == 1 && all.front() == 0, "a list has others");
}

static void try_tables()
{
    std::unordered_set<int> u;
    for (int i = 0; i < 300; i++)
        u.insert(i * 7);
    for (int i = 0; i < 2100; i++)
        require(u.count(i) == (i % 7 == 0), "a table has others");
}

int main()
{
    for (unsigned seed = 1; seed <= 200; seed++)
        try_trees(seed);
    try_lists();
    try_tables();
    return 0;
}
