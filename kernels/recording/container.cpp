#include "recording/container.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <zstd.h>

namespace recording {

namespace {

// Like PNG's signature: a byte that no text contains, and line ends, so that a transfer in text mode is detected.
constexpr std::array<unsigned char, 8> magic{0x89, 'G', 'S', 'C', '\r', '\n', 0x1a, '\n'};
constexpr size_t checked_bytes = header_bytes - sizeof(uint64_t);

// Higher levels take several times as long and save little: the stored differences compress at any level.
constexpr int level = 1;
constexpr int window_log = 23; // log2 of the largest window, in bytes, that a frame may require of the reader

template <class T>
void put(std::span<std::byte> bytes, size_t at, T value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
T get(std::span<const std::byte> bytes, size_t at)
{
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// FNV-1a, 64 bits.
uint64_t hash(std::span<const std::byte> bytes)
{
    uint64_t value = 0xcbf29ce484222325;
    for (const std::byte byte : bytes)
        value = (value ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
    return value;
}

struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

} // namespace

void Content::reserve(size_t new_capacity)
{
    auto* const larger = static_cast<std::byte*>(std::realloc(data.get(), new_capacity));
    if (!larger)
        throw std::bad_alloc(); // data is unchanged
    static_cast<void>(data.release());
    data.reset(larger);
    capacity = new_capacity;
}

std::array<std::byte, header_bytes> to_bytes(const Header& header)
{
    std::array<std::byte, header_bytes> bytes{};
    std::memcpy(bytes.data(), magic.data(), magic.size());
    put(bytes, 8, header.major);
    put(bytes, 10, header.minor);
    put(bytes, 12, uint32_t{0});
    put(bytes, 16, header.compressed_bytes);
    put(bytes, 24, header.uncompressed_bytes);
    put(bytes, checked_bytes, hash(std::span(bytes).first(checked_bytes)));
    return bytes;
}

bool starts_like_header(std::span<const std::byte> bytes)
{
    return std::memcmp(bytes.data(), magic.data(), std::min(bytes.size(), magic.size())) == 0;
}

std::optional<Header> header_from(std::span<const std::byte, header_bytes> bytes)
{
    if (get<uint64_t>(bytes, checked_bytes) != hash(bytes.first(checked_bytes)))
        return {};
    return Header{get<uint16_t>(bytes, 8), get<uint16_t>(bytes, 10), get<uint64_t>(bytes, 16),
                  get<uint64_t>(bytes, 24)};
}

Packed pack(std::span<const std::byte> content)
{
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    Packed file;
    file.reserve(header_bytes + ZSTD_compressBound(content.size()));
    const std::span<std::byte> frame = file.room().subspan(header_bytes);
    const size_t bytes = ZSTD_compress2(context.get(), frame.data(), frame.size(), content.data(), content.size());
    if (ZSTD_isError(bytes))
        throw std::bad_alloc(); // the only possible reason: the output has room for the worst case
    Header header = current_format;
    header.compressed_bytes = bytes;
    header.uncompressed_bytes = content.size();
    std::ranges::copy(to_bytes(header), file.room().begin());
    file.add(header_bytes + bytes);
    return file;
}

Content decompress(const ReadBytes& read, const Header& header)
{
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, window_log);
    // Allocates one byte more than declared; content that fills it is too long.
    const size_t enough = header.uncompressed_bytes + 1;
    constexpr size_t at_least = size_t{1} << 20;
    Content content;
    content.reserve(std::min(enough, at_least));
    std::vector<std::byte> chunk(ZSTD_DStreamInSize());
    ZSTD_inBuffer input{chunk.data(), 0, 0};
    for (bool finished = false, more_inside = false; !finished;) {
        if (input.pos == input.size && !more_inside) {
            input = {chunk.data(), read(chunk), 0};
            if (input.size == 0)
                throw Damage("its content ends too early");
        }
        if (content.room().empty())
            content.reserve(std::min(enough, 2 * content.bytes().size()));
        ZSTD_outBuffer output{content.room().data(), content.room().size(), 0};
        const size_t result = ZSTD_decompressStream(context.get(), &output, &input);
        if (ZSTD_isError(result))
            throw Damage(std::string("its content cannot be decompressed (") + ZSTD_getErrorName(result) + ")");
        content.add(output.pos);
        if (content.bytes().size() == enough)
            throw Damage("its content is larger than declared");
        finished = result == 0;
        more_inside = output.pos == output.size;
    }
    if (input.pos != input.size || read(std::span(chunk).first(1)) != 0)
        throw Damage("something follows its content");
    if (content.bytes().size() != header.uncompressed_bytes)
        throw Damage("its content is smaller than declared");
    return content;
}

} // namespace recording
