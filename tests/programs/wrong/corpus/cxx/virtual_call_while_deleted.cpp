/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: the object is deleted before the thread that calls it was joined */
#include <thread>

struct shape {
    virtual ~shape() = default;
    virtual int area()
    {
        return 0;
    }
};
struct square : shape {
    int area() override
    {
        return 4;
    }
};
int seen;

int main()
{
    shape *s = new square;
    std::thread t([s] { seen = s->area(); });
    delete s;
    t.join();
}
