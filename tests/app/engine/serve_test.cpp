// A worker whose client is hostile.
#include "app/engine/bytes.h"
#include "app/engine/child_process.h"
#include "app/engine/lane.h"
#include "app/engine/message.h"
#include "tests/paths.h"
#include "tests/says.h"
#include "tests/waiting.h"
#include "tests/worker/misfortunes.h"

#include <gtest/gtest.h>

#include <array>

#include <unistd.h>

namespace {

using app::Message;
using app::MessageKind;
using test::says;

class Served : public testing::Test {
protected:
    Served() { to.send({MessageKind::open, 0, 0, {std::byte{'c'}, std::byte{'p'}, std::byte{'u'}, std::byte{' '}}}); }

    // Returns the message that ends the task, or nothing if the worker has closed its output.
    std::optional<Message> end_of(uint64_t id)
    {
        std::array<std::byte, 65536> buffer;
        while (true) {
            if (greeted)
                while (std::optional<Message> message = from.next())
                    if (message->id == id &&
                        (message->kind == MessageKind::result || message->kind == MessageKind::failure))
                        return message;
            const ssize_t count = read(child.out(), buffer.data(), buffer.size());
            if (count <= 0)
                return std::nullopt;
            from.add(std::span(buffer).first(static_cast<std::size_t>(count)));
            greeted = greeted || from.line().has_value();
        }
    }
    bool send(uint64_t id, std::vector<std::byte> task)
    {
        return to.send({MessageKind::task, static_cast<uint8_t>(app::Lane::recording), id, std::move(task)});
    }
    // Checks that the worker has exited by itself and not by a signal.
    void expect_refusal()
    {
        EXPECT_FALSE(end_of(12345));
        EXPECT_TRUE(says(child.ending(test::hang).how, "status 1"));
    }

    app::ChildProcess child{{test::scripted_worker()}};
    app::Outbox to{child.take_in()};
    app::Inbox from{[](MessageKind kind, uint64_t) { return app::largest_of(kind, app::Side::client); }};
    bool greeted = false;
};

TEST_F(Served, ATaskThatCannotBeUnderstoodFailsAndTheNextOneIsDone)
{
    std::vector<std::byte> nested = {std::byte{0x82}, std::byte{app::bytes_version}};
    nested.insert(nested.end(), 100'000, std::byte{0x81});
    send(1, nested);
    const auto refused = end_of(1);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->kind, MessageKind::failure);
    send(2, app::to_bytes(app::Task(app::PrepareTask{})));
    const auto done = end_of(2);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->kind, MessageKind::result);
}

TEST_F(Served, WhoSendsMoreThanAMessageMayHaveIsLeft)
{
    to.send({MessageKind::open, 0, 0,
             std::vector<std::byte>(std::size_t{1} << 27)}); // the worker may exit before it has read everything
    expect_refusal();
}

TEST_F(Served, WhoSendsMoreTasksThanThereAreLanesForIsLeft)
{
    const auto endless = static_cast<uint32_t>(test::Misfortune::does_not_stop);
    app::RecordTask task{{"naive", {}, {.M = endless, .N = 8, .K = 8}}, {{0, 0, 0}}, true};
    for (uint64_t id = 1; id < 1000; ++id)
        if (!send(id, app::to_bytes(app::Task(task))))
            break;
    expect_refusal();
}

} // namespace
