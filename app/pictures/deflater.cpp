#include "app/pictures/deflater.h"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <new>

namespace app {

struct Deflater::Stream {
    Stream()
    {
        constexpr int level = 6, window_bits = -15 /* no header */, memory_level = 8; // 256 KB
        if (deflateInit2(&z, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { deflateEnd(&z); }
    z_stream z{};
};

Deflater::Deflater() : stream_(std::make_shared<Stream>()) {}

std::string Deflater::add(std::string_view message)
{
    z_stream& z = stream_->z;
    std::string result;
    std::array<unsigned char, 16384> buffer;
    const auto compress = [&](std::string_view bytes, int flush) {
        z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data())); // which zlib does not write
        z.avail_in = static_cast<uInt>(bytes.size());
        do {
            z.next_out = buffer.data();
            z.avail_out = static_cast<uInt>(buffer.size());
            deflate(&z, flush);
            result.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - z.avail_out);
        } while (z.avail_out == 0);
    };
    std::array<char, 4> length;
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>(message.size() >> (8 * i) & 0xff);
    compress({length.data(), length.size()}, Z_NO_FLUSH);
    compress(message, Z_SYNC_FLUSH);
    return result;
}

std::string deflated(std::string_view bytes)
{
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string result(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    result.resize(size);
    return result;
}

} // namespace app
