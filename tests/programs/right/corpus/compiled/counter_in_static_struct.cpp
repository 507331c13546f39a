/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <thread>

namespace
{
class statistics
{
  public:
    void hit()
    {
        std::lock_guard<std::mutex> guard(lock);
        hits++;
    }

  private:
    std::mutex lock;
    unsigned long hits = 0;
};
statistics all;
} // namespace

static void work()
{
    all.hit();
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
