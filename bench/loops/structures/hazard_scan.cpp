/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: scans of all hazards that are repeated until the list of what was retired is empty */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

struct node {
    int value;
};

static std::atomic<node *> head{nullptr}, hazard{nullptr};
static std::vector<node *> retired;

static void scan()
{
    node *protected_node = hazard.load();
    std::vector<node *> kept;
    for (node *n : retired)
        if (n == protected_node)
            kept.push_back(n);
        else
            delete n;
    retired.swap(kept);
}

static void replace(int value)
{
    retired.push_back(head.exchange(new node{value}));
    while (!retired.empty()) {
        scan();
        std::this_thread::yield();
    }
}

int main()
{
    head = new node{1};
    std::thread reader([] {
        node *n;
        do {
            n = head.load();
            hazard.store(n);
        } while (head.load() != n);
        assert(n->value == 1 || n->value == 2);
        hazard.store(nullptr);
    });
    replace(2);
    reader.join();
    delete head.load();
}
