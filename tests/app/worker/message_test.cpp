// Messages in pieces, in any order, and what was changed on its way.
#include "app/worker/message.h"

#include "error.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <random>

#include <unistd.h>

namespace {

using app::Message;
using app::MessageKind;

// What an outbox has written.
std::vector<std::byte> written(const std::vector<Message>& messages)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> kept(std::tmpfile(), &std::fclose);
    const int file = fileno(kept.get());
    app::Outbox outbox{recording::FileDescriptor(dup(file))};
    for (const Message& message : messages)
        EXPECT_TRUE(outbox.send(message));
    std::vector<std::byte> bytes(static_cast<std::size_t>(lseek(file, 0, SEEK_END)));
    EXPECT_EQ(pread(file, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    return bytes;
}

std::vector<Message> some()
{
    std::vector<std::byte> large(3 * app::largest_piece + 5);
    for (std::size_t i = 0; i < large.size(); ++i)
        large[i] = static_cast<std::byte>(i * 7);
    return {{MessageKind::task, 3, 12345678901ull, large},
            {MessageKind::cancel, 0, 7, {}},
            {MessageKind::progress, 1, 7, std::vector<std::byte>(100, std::byte{5})}};
}

TEST(Messages, ComeAsTheyWereSentHoweverTheirBytesArrive)
{
    const std::vector<Message> sent = some();
    const std::vector<std::byte> bytes = written(sent);
    std::mt19937 random(1);
    for (int round = 0; round < 20; ++round) {
        app::Inbox inbox;
        std::vector<Message> come;
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t count = std::min<std::size_t>(1 + random() % 90000, bytes.size() - at);
            inbox.add(std::span(bytes).subspan(at, count));
            at += count;
            while (auto message = inbox.next())
                come.push_back(*std::move(message));
        }
        ASSERT_EQ(come.size(), sent.size());
        for (std::size_t i = 0; i < sent.size(); ++i) {
            EXPECT_EQ(come[i].kind, sent[i].kind);
            EXPECT_EQ(come[i].id, sent[i].id);
            EXPECT_EQ(come[i].lane, sent[i].lane);
            EXPECT_EQ(come[i].body, sent[i].body);
        }
    }
}

// One bit changed anywhere, or some bytes left out, is seen before a message that it is in comes.
TEST(Messages, ChangedOnTheirWayAreRefused)
{
    const std::vector<Message> sent = {{MessageKind::task, 2, 9, std::vector<std::byte>(50, std::byte{1})},
                                       {MessageKind::task, 2, 10, std::vector<std::byte>(50, std::byte{2})}};
    const std::vector<std::byte> bytes = written(sent);
    const auto refused = [](const std::vector<std::byte>& changed) {
        app::Inbox inbox;
        inbox.add(changed);
        try {
            while (const auto message = inbox.next())
                if (message->body.size() != 50 || message->lane != 2)
                    ADD_FAILURE() << "a message that was not sent";
        } catch (const kernels::Error&) {
            return true;
        }
        return false;
    };
    EXPECT_FALSE(refused(bytes));
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::vector<std::byte> changed = bytes;
        changed[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
        EXPECT_TRUE(refused(changed)) << bit;
    }
    std::vector<std::byte> shorter(bytes.begin() + 82, bytes.end());
    EXPECT_TRUE(refused(shorter)) << "the first one is missing";
}

TEST(Messages, LinesComeBeforeThem)
{
    app::Inbox inbox;
    const auto add = [&](std::string_view text) { inbox.add(std::as_bytes(std::span(text.data(), text.size()))); };
    add("hello\nwor");
    EXPECT_EQ(inbox.line(), "hello");
    EXPECT_EQ(inbox.line(), std::nullopt);
    add("ld\n");
    EXPECT_EQ(inbox.line(), "world");
    EXPECT_FALSE(inbox.next());
}

} // namespace
