/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the destructor rewrites the object's virtual table pointer while another thread calls through it */
#include <thread>

struct base {
    std::thread worker;
    virtual ~base() { worker.join(); }
    virtual int step() { return 1; }
};

struct derived : base {
    int step() override { return 2; }
};

static volatile int sink;

int main()
{
    base *object = new derived;
    object->worker = std::thread([object] { sink = object->step(); });
    delete object;
}
