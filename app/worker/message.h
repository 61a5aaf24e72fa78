// What two gemmscope processes send each other over a stream of bytes: messages with a header, a number and a checksum, large
// ones in pieces, so that nothing waits behind a recording.
//
// The worker's first line is text, `greeting()`: it stays as it is, so that other versions can always be refused in words, and
// what a shell prints before it is skipped. Frames follow: the header below, all integers little-endian, then `length` bytes.
// Tasks and results in messages are CBOR (app/tasks/bytes.h). FlatBuffers would name the header's fields once more, and could
// not be cut into pieces while it is sent.
#pragma once

#include "app/tasks/machine.h"

#include "recording/disk.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

enum class MessageKind : uint8_t {
    open = 1, // to the worker, first: opening()
    task,     // to the worker: lane, id, the task
    cancel,   // to the worker: id
    machine,  // from the worker: its machine, when it is known
    progress, // from the worker: id
    result,   // from the worker: id; the task's end
    failure,  // likewise
    lost,     // from the worker: after the task that just ended it is of no use any more; nothing follows
    pulse,    // from the worker, twice a second: of each lane how many ms it has been quiet, or -1
};

struct Message {
    MessageKind kind = MessageKind::pulse;
    uint8_t lane = 0;
    uint64_t id = 0;
    std::vector<std::byte> body;
};

inline constexpr std::size_t largest_piece = 1 << 18;
inline constexpr std::string_view greeting_begins = "gemmscope worker ";

std::string greeting(); // "gemmscope worker VERSION PROTOCOL", without the end of line

// Which device is wanted, as text: the backend, empty for the best, a space, and the GPU, empty for the first.
std::string opening(const WantedDevice& wanted);
WantedDevice wanted_in(std::string_view opening);

// Writes messages, called from several threads; pieces of different messages alternate.
class Outbox {
public:
    explicit Outbox(recording::FileDescriptor to) : to_(std::move(to)) {}

    // False: nobody reads any more.
    bool send(const Message& message);
    bool send_line(std::string_view line);

private:
    bool write(std::span<const std::byte> bytes);

    std::mutex mutex_;
    recording::FileDescriptor to_;
    uint32_t next_ = 0; // number of the frame
};

// Puts messages together from bytes as they come.
class Inbox {
public:
    void add(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    // A line of text, while no message was asked for; none where its end has not come yet.
    std::optional<std::string> line();

    // The next whole message. Throws kernels::Error where what came was not sent so: changed or cut on its way.
    std::optional<Message> next();

private:
    void drop(std::size_t count);

    std::vector<std::byte> bytes_;
    std::size_t begin_ = 0; // of what was not taken yet
    uint32_t next_ = 0;
    std::map<std::pair<MessageKind, uint64_t>, std::vector<std::byte>> parts_;
};

} // namespace app
