// Messages to a page as one compressed stream, of which each message is a part that can be read at once. What was sent before makes
// what comes later shorter. (The compression that Boost.Beast has for WebSocket is a copy of zlib 1.2.11, whose memory an input can
// corrupt up to Boost 1.79: CVE-2018-25032.)
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace app {

class Deflater {
public:
    Deflater();

    // The length of the message, as four bytes from the lowest, and the message, compressed.
    std::string add(std::string_view message);

private:
    struct Stream;
    std::shared_ptr<Stream> stream_;
};

// All of it at once, as small as can be, with zlib's header: what DecompressionStream calls 'deflate'.
std::string deflated(std::string_view bytes);

} // namespace app
