// Messages that arrive in pieces and in any order, and messages that were changed on the way.
#include "app/data/config_folder.h"
#include "app/engine/lane.h"
#include "app/engine/message.h"

#include "error.h"
#include "recording/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <random>

#include <unistd.h>

namespace {

using app::Message;
using app::MessageKind;

// Returns the bytes that an outbox writes for these messages.
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

app::Inbox taking_all()
{
    return app::Inbox([](MessageKind, uint64_t) { return std::optional<std::size_t>(app::largest_recording); });
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
        app::Inbox inbox = taking_all();
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

// A changed bit or missing bytes are detected before the message that contains them is delivered.
TEST(Messages, ChangedOnTheirWayAreRefused)
{
    const std::vector<Message> sent = {{MessageKind::task, 2, 9, std::vector<std::byte>(50, std::byte{1})},
                                       {MessageKind::task, 2, 10, std::vector<std::byte>(50, std::byte{2})}};
    const std::vector<std::byte> bytes = written(sent);
    const auto refused = [](const std::vector<std::byte>& changed) {
        app::Inbox inbox = taking_all();
        inbox.add(changed);
        try {
            while (const auto message = inbox.next())
                if (message->body.size() != 50 || message->lane != 2)
                    ADD_FAILURE() << "received a message that was not sent";
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
    EXPECT_TRUE(refused(shorter)) << "the first message is missing";
}

TEST(Messages, LinesComeBeforeThem)
{
    app::Inbox inbox = taking_all();
    const auto add = [&](std::string_view text) { inbox.add(std::as_bytes(std::span(text.data(), text.size()))); };
    add("hello\nwor");
    EXPECT_EQ(inbox.line(), "hello");
    EXPECT_EQ(inbox.line(), std::nullopt);
    add("ld\n");
    EXPECT_EQ(inbox.line(), "world");
    EXPECT_FALSE(inbox.next());
}

// Returns how many of these bytes an inbox accepts before it refuses more; all of them if it refuses nothing.
std::size_t taken_of(app::Inbox inbox, std::span<const std::byte> bytes)
{
    constexpr std::size_t at_once = 1000;
    for (std::size_t at = 0; at < bytes.size(); at += at_once) {
        inbox.add(bytes.subspan(at, std::min(at_once, bytes.size() - at)));
        try {
            while (inbox.next()) {
            }
        } catch (const kernels::Error&) {
            return at;
        }
    }
    return bytes.size();
}

TEST(Messages, ThatAreTooLargeAreRefusedBeforeTheyHaveCome)
{
    static_assert(app::largest_recording > recording::content_limit);
    const auto inbox_of = [](app::Side side) {
        return app::Inbox([side](MessageKind kind, uint64_t) { return app::largest_of(kind, side); });
    };
    const auto of = [](MessageKind kind, std::size_t size) {
        return written({{kind, 0, 7, std::vector<std::byte>(size)}});
    };
    const auto is_taken = [](app::Inbox inbox, const std::vector<std::byte>& bytes) {
        return taken_of(std::move(inbox), bytes) == bytes.size();
    };
    const std::size_t pulse = app::lane_count * sizeof(int32_t);
    EXPECT_TRUE(is_taken(inbox_of(app::Side::client), of(MessageKind::pulse, pulse)));
    EXPECT_FALSE(is_taken(inbox_of(app::Side::client), of(MessageKind::pulse, pulse + 1)));
    EXPECT_TRUE(is_taken(inbox_of(app::Side::client), of(MessageKind::failure, 100'000)));
    EXPECT_LE(taken_of(inbox_of(app::Side::client), of(MessageKind::failure, 2 * app::largest_figures)),
              app::largest_figures + app::largest_figures / 1000);
    EXPECT_TRUE(is_taken(inbox_of(app::Side::worker), of(MessageKind::open, 5)));
    EXPECT_EQ(taken_of(inbox_of(app::Side::worker), of(MessageKind::open, 1'000'000)), 0u)
        << "the first header gives the length";
    EXPECT_EQ(taken_of(inbox_of(app::Side::worker), of(MessageKind::cancel, 1)), 0u);
    // Kinds of messages that only the other side accepts, and one that neither accepts.
    EXPECT_FALSE(is_taken(inbox_of(app::Side::worker), of(MessageKind::pulse, pulse)));
    EXPECT_FALSE(is_taken(inbox_of(app::Side::client), of(MessageKind::task, 5)));
    EXPECT_FALSE(is_taken(inbox_of(app::Side::client), of(static_cast<MessageKind>(200), 0)));
}

// Returns a piece, other than the last one of its message, as an outbox would write it with this number.
std::vector<std::byte> begun_piece(uint64_t id, uint32_t number, std::size_t size)
{
    struct {
        uint32_t mark = 0x4b575347;
        MessageKind kind = MessageKind::task;
        uint8_t last = 0, lane = 0, zero = 0;
        uint64_t id = 0;
        uint32_t length = 0, number = 0, own_checksum = 0, checksum = 0;
    } header;
    const std::vector<std::byte> body(size);
    header.id = id;
    header.length = static_cast<uint32_t>(size);
    header.number = number;
    header.checksum = app::crc32(body);
    const auto bytes = std::as_bytes(std::span(&header, 1));
    header.own_checksum = app::crc32(bytes.first(24));
    std::vector<std::byte> piece(bytes.begin(), bytes.end());
    piece.insert(piece.end(), body.begin(), body.end());
    return piece;
}

TEST(Messages, ThatAreBegunAndNotEndedAreFew)
{
    std::vector<std::byte> begun;
    for (uint32_t id = 0; id < 3 * app::most_unfinished; ++id)
        std::ranges::copy(begun_piece(id, id, app::largest_piece), std::back_inserter(begun));
    const std::size_t taken = taken_of(taking_all(), begun);
    EXPECT_GT(taken, (app::most_unfinished - 1) * app::largest_piece);
    EXPECT_LE(taken, (app::most_unfinished + 1) * (app::largest_piece + 32));
}

// Otherwise a message could consist of empty pieces without end.
TEST(Messages, APieceIsWholeWhereAnotherFollows)
{
    std::vector<std::byte> one = begun_piece(7, 0, app::largest_piece);
    EXPECT_EQ(taken_of(taking_all(), one), one.size());
    for (const std::size_t size : {std::size_t{0}, app::largest_piece - 1})
        EXPECT_LT(taken_of(taking_all(), begun_piece(7, 0, size)), 32u) << size;
}

TEST(Messages, TextBeforeThemIsShort)
{
    const std::vector<std::byte> line(100, std::byte{'a'}), end(1, std::byte{'\n'});
    for (const bool ends : {false, true}) {
        app::Inbox inbox = taking_all();
        std::size_t taken = 0;
        const auto refused = [&] {
            try {
                while (inbox.line()) {
                }
                return false;
            } catch (const kernels::Error&) {
                return true;
            }
        };
        for (; !refused() && taken < 10 * app::largest_greeting; taken += line.size() + (ends ? 1 : 0)) {
            inbox.add(line);
            if (ends)
                inbox.add(end);
        }
        EXPECT_GT(taken, app::largest_greeting / 2);
        EXPECT_LE(taken, app::largest_greeting + 200);
    }
}

} // namespace
