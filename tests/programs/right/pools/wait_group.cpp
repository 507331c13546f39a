/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: counts down with an atomic and waits with its wait() */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

class WaitGroup
{
  public:
    void add(int n)
    {
        left.fetch_add(n);
    }
    void done()
    {
        if (left.fetch_sub(1) == 1)
            left.notify_all();
    }
    void wait()
    {
        for (int n = left.load(); n != 0; n = left.load())
            left.wait(n);
    }

  private:
    std::atomic<int> left{0};
};

int main()
{
    WaitGroup group;
    int cells[2] = {0, 0};
    std::vector<std::thread> workers;
    group.add(2);
    for (int i = 0; i < 2; i++)
        workers.emplace_back([&, i] {
            cells[i] = 1;
            group.done();
        });
    group.wait();
    assert(cells[0] + cells[1] == 2);
    for (auto &w : workers)
        w.join();
}
