// A hostile peer that uses the worker protocol.
#pragma once

#include "app/engine/bytes.h"
#include "app/engine/cbor.h"
#include "app/engine/lane.h"
#include "app/engine/message.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <unistd.h>

namespace test {

// Returns the answer to a task for this WHAT. It may be empty.
inline std::vector<std::byte> hostile_answer(std::string_view what)
{
    const auto list_of = [](std::size_t depth, std::size_t count, std::byte with) { // instead of the result
        std::vector<std::byte> bytes = {std::byte{0x82}, std::byte{app::bytes_version}};
        bytes.insert(bytes.end(), depth, std::byte{0x81}); // a list of one
        bytes.insert(bytes.end(),
                     {std::byte{0x9a}, static_cast<std::byte>(count >> 24), static_cast<std::byte>(count >> 16),
                      static_cast<std::byte>(count >> 8), static_cast<std::byte>(count)});
        bytes.insert(bytes.end(), count, with);
        return bytes;
    };
    if (what == "nested")
        return list_of(100'000, 0, {});
    if (what == "nulls")
        return list_of(0, 50'000'000, std::byte{0xf6});
    if (what == "large")
        return std::vector<std::byte>(2 * app::largest_figures);
    return {};
}

// WHAT: "text" and "lines" never send a greeting; "pulses" never sends the machine's facts; "idle" runs no task;
// "stranger" answers with an unknown id; all others send harmful answers.
inline int be_hostile(std::string_view what)
{
    using app::MessageKind;
    while (what == "text" || what == "lines")
        if (std::fputs(what == "text" ? "word " : "a line\n", stdout) < 0)
            return 1;
    app::Outbox to{recording::FileDescriptor(dup(STDOUT_FILENO))};
    to.send_line(app::greeting());
    if (what != "pulses") {
        app::MachineFacts facts;
        facts.device = recording::Device{.backend = "cpu", .name = "a hostile one"};
        to.send({MessageKind::machine, 0, 0, app::to_bytes(facts)});
    }
    app::Inbox from([](MessageKind kind, uint64_t) { return app::largest_of(kind, app::Side::worker); });
    std::jthread pulses([&](const std::stop_token& stop) {
        std::array<int32_t, app::lane_count> quiet;
        quiet.fill(-1);
        const auto bytes = std::as_bytes(std::span(quiet));
        while (!stop.stop_requested() && to.send({MessageKind::pulse, 0, 0, {bytes.begin(), bytes.end()}}))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    std::array<std::byte, 65536> buffer;
    while (true) {
        const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count <= 0)
            return 0;
        from.add(std::span(buffer).first(static_cast<std::size_t>(count)));
        while (const auto message = from.next())
            if (message->kind == MessageKind::task && what != "idle")
                to.send({MessageKind::result, 0, what == "stranger" ? message->id + 1000 : message->id,
                         hostile_answer(what)});
    }
}

} // namespace test
