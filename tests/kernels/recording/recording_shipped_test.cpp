// Shipped recordings are read, and written again byte for byte. A new writer or reader must preserve the format.
#include "tests/kernels/recording/recording_file_support.h"

#include "recording/file.h"

#include <algorithm>

namespace {

using namespace file_support;

// Returns the decompressed content of a file.
recording::Content content_in(const Bytes& file)
{
    const auto bytes = std::as_bytes(std::span(file));
    auto left = bytes.subspan(recording::header_bytes);
    const std::optional<recording::Header> read = recording::header_from(bytes.first<recording::header_bytes>());
    return recording::decompress(
        [&](std::span<std::byte> buffer) {
            const size_t count = std::min(buffer.size(), left.size());
            std::copy_n(left.begin(), count, buffer.begin());
            left = left.subspan(count);
            return count;
        },
        read.value());
}

TEST(RecordingShipped, IsWrittenAsItWasRead)
{
    size_t files = 0;
    for (const auto& entry : fs::directory_iterator(test::shipped()))
        if (entry.path().extension() == ".gscope") {
            const recording::Content content = content_in(test::text_of(entry.path()));
            const flatbuffers::DetachedBuffer again = recording::encode(recording::read(entry.path()));
            EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(again.data(), again.size())), content.bytes()))
                << entry.path();
            ++files;
        }
    EXPECT_GT(files, 20u);
}

// Covers features that no shipped recording has: several source files, and accesses of machine instructions.
TEST(RecordingShipped, WhatIsMadeUpIsToo)
{
    for (recording::Recording recording : {sample::recording(), sample::with_every_kind()}) {
        recording.sources.push_back({"device/x.h", "1\n2\n"});
        recording.executed =
            recording::InstructionTrace{.kernel = "k", .language = "PTX", .instructions = {{"ret;", 1, 0}}};
        recording.blocks[0].warps[0].accesses[0].instruction = 1;
        const Bytes content = content_of(recording);
        EXPECT_EQ(content_of(recording::decode(std::as_bytes(std::span(content)))), content);
    }
}

} // namespace
