/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <atomic>
#include <thread>

class session
{
  public:
    session()
    {
        count++;
    }
    ~session()
    {
        count--;
    }

  private:
    static std::atomic<int> count;
};
std::atomic<int> session::count;

static void work()
{
    session s;
}

int main()
{
    std::thread a(work), b(work);
    a.join();
    b.join();
}
