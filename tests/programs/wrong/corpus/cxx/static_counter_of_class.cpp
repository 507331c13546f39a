/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the number of instances is a plain static member */
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
    static int count;
};
int session::count;

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
