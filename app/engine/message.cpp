#include "app/engine/message.h"

#include "app/data/config_folder.h"
#include "app/engine/bytes.h"
#include "app/engine/child_process.h"
#include "app/engine/lane.h"
#include "app/text/version.h"

#include "error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace app {

namespace {

static_assert(std::endian::native == std::endian::little, "headers are sent as they lie in memory");

struct Header {
    uint32_t mark = 0x4b575347; // "GSWK"
    MessageKind kind = MessageKind::pulse;
    uint8_t last = 1; // whether this is the last piece of its message
    uint8_t lane = 0;
    uint8_t zero = 0;
    uint64_t id = 0;
    uint32_t length = 0;
    uint32_t number = 0; // of the frame, from 0; detects lost and repeated frames
    // CRC-32 of the header up to here; detects a wrong length before waiting for that many bytes
    uint32_t own_checksum = 0;
    uint32_t checksum = 0; // CRC-32 of the body
};
static_assert(sizeof(Header) == 32);

uint32_t checksum_of(const Header& header)
{
    return crc32(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, own_checksum)));
}

[[noreturn]] void damaged(const char* how)
{
    throw kernels::Error(fmt::format("what came from it was changed or cut on its way ({})", how));
}

// Refuses a message that is invalid although its checksum is correct, so it was not damaged in transit.
[[noreturn]] void refuse(const std::string& what)
{
    throw kernels::Error(fmt::format("it sent {}, as no gemmscope of this version does", what));
}

} // namespace

std::string opening(const WantedDevice& wanted)
{
    return wanted.backend.value_or("") + " " + wanted.gpu;
}

WantedDevice wanted_in(std::string_view opening)
{
    const std::size_t space = std::min(opening.find(' '), opening.size());
    WantedDevice wanted;
    if (space > 0)
        wanted.backend = opening.substr(0, space);
    if (space < opening.size())
        wanted.gpu = opening.substr(space + 1);
    return wanted;
}

std::string greeting()
{
    return fmt::format("{}{} protocol {}", greeting_begins, program_version(), bytes_version);
}

bool Outbox::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(to_.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

bool Outbox::send_line(std::string_view line)
{
    const NoPipeSignal no_signal;
    const std::string whole = std::string(line) + "\n";
    const std::lock_guard lock(mutex_);
    return write(std::as_bytes(std::span(whole)));
}

bool Outbox::send(const Message& message)
{
    const NoPipeSignal no_signal;
    std::span<const std::byte> rest = message.body;
    bool last = false;
    do {
        const auto piece = rest.first(std::min(rest.size(), largest_piece));
        rest = rest.subspan(piece.size());
        last = rest.empty();
        Header header{.kind = message.kind,
                      .last = static_cast<uint8_t>(last),
                      .lane = message.lane,
                      .id = message.id,
                      .length = static_cast<uint32_t>(piece.size())};
        const std::lock_guard lock(mutex_);
        header.number = next_++;
        header.own_checksum = checksum_of(header);
        header.checksum = crc32(piece);
        if (!write(std::as_bytes(std::span(&header, 1))) || !write(piece))
            return false;
    } while (!last);
    return true;
}

void Inbox::drop(std::size_t count)
{
    begin_ += count;
    if (begin_ == bytes_.size() || begin_ > 4 * largest_piece) {
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
    }
}

std::optional<std::string> Inbox::line()
{
    const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto end = std::find(from, bytes_.end(), std::byte{'\n'});
    const auto length = static_cast<std::size_t>(end - from);
    if (text_ + length >= largest_greeting)
        throw kernels::Error(
            fmt::format("it printed {} bytes and did not say that it is a gemmscope worker", text_ + length));
    if (end == bytes_.end())
        return std::nullopt;
    text_ += length + 1;
    std::string text;
    std::transform(from, end, std::back_inserter(text), [](std::byte byte) { return static_cast<char>(byte); });
    drop(text.size() + 1);
    return text;
}

std::optional<std::size_t> largest_of(MessageKind kind, Side taker)
{
    const auto from_client = [&](std::size_t size) {
        return taker == Side::worker ? std::optional(size) : std::nullopt;
    };
    const auto from_worker = [&](std::size_t size) {
        return taker == Side::client ? std::optional(size) : std::nullopt;
    };
    switch (kind) {
    case MessageKind::open: return from_client(1 << 16);
    case MessageKind::task: return from_client(largest_recording);
    case MessageKind::cancel: return from_client(0);
    case MessageKind::machine:
    case MessageKind::progress:                                     // of a search: all candidates
    case MessageKind::failure: return from_worker(largest_figures); // compiler output can be long
    case MessageKind::result: return from_worker(largest_recording);
    case MessageKind::lost: return from_worker(0);
    case MessageKind::pulse: return from_worker(lane_count * sizeof(int32_t));
    }
    return std::nullopt;
}

// Every piece except the last must be full. Otherwise endless empty pieces would never complete a message.
void Inbox::check_size(const Key& key, std::size_t piece, bool last) const
{
    const std::optional<std::size_t> most = allowed_(key.first, key.second);
    if (!most)
        refuse("a message that was not asked for");
    const auto begun = parts_.find(key);
    if (piece + (begun == parts_.end() ? 0 : begun->second.size()) > *most)
        refuse(fmt::format("a message of more than {} bytes", *most));
    if (!last && (piece != largest_piece || (begun == parts_.end() && parts_.size() >= most_unfinished)))
        refuse("too many pieces of messages");
}

std::optional<Message> Inbox::next()
{
    while (bytes_.size() - begin_ >= sizeof(Header)) {
        Header header;
        std::memcpy(&header, bytes_.data() + begin_, sizeof header);
        if (header.mark != Header().mark || header.own_checksum != checksum_of(header) || header.length > largest_piece)
            damaged("no message begins where one should");
        const Key key{header.kind, header.id};
        check_size(key, header.length, header.last != 0);
        if (bytes_.size() - begin_ < sizeof header + header.length)
            return std::nullopt;
        const auto piece = std::span<const std::byte>(bytes_).subspan(begin_ + sizeof header, header.length);
        if (header.checksum != crc32(piece))
            damaged("the checksum does not fit");
        if (header.number != next_++)
            damaged("a part is missing");
        std::vector<std::byte>& whole = parts_[key];
        whole.insert(whole.end(), piece.begin(), piece.end());
        drop(sizeof header + header.length);
        if (header.last == 0)
            continue;
        Message message{header.kind, header.lane, header.id, std::move(whole)};
        parts_.erase(key);
        return message;
    }
    return std::nullopt;
}

} // namespace app
