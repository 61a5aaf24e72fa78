// Functions for the tests of recording files. The header is implemented here again, from docs/recording-format.md and
// without the project's own code.
#pragma once

#include "error.h"
#include "recording/file.h"
#include "recording/format.h"
#include "temporary_folder.h"
#include "tests/kernels/recording/sample_recording.h"
#include "tests/paths.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include <zstd.h>

namespace file_support {

namespace fs = std::filesystem;
using Bytes = std::string;
using test::says;

using Folder = kernels::TemporaryFolder;

inline std::vector<std::string> names_in(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename());
    return names;
}

inline void put_bytes(const fs::path& path, const Bytes& bytes)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

template <class T>
void append(Bytes& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct HeaderFields {
    uint16_t major = 2, minor = 0;
    uint64_t compressed = 0, uncompressed = 0;
};

inline Bytes header(const HeaderFields& fields)
{
    Bytes bytes = "\x89GSC\r\n\x1a\n";
    append(bytes, fields.major);
    append(bytes, fields.minor);
    append(bytes, uint32_t{0});
    append(bytes, fields.compressed);
    append(bytes, fields.uncompressed);
    uint64_t hash = 14695981039346656037u;
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    append(bytes, hash);
    return bytes;
}

inline Bytes compress(const Bytes& content)
{
    Bytes frame(ZSTD_compressBound(content.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 3));
    return frame;
}

// Returns a whole file with this content.
inline Bytes wrap(const Bytes& content, uint16_t major = 2, uint16_t minor = 0)
{
    const Bytes frame = compress(content);
    return header({major, minor, frame.size(), content.size()}) + frame;
}

inline Bytes content_of(const recording::Recording& recording)
{
    const flatbuffers::DetachedBuffer buffer = recording::encode(recording);
    return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

// Returns read()'s error for a file with these bytes, or "" if it can be read.
inline std::string refusal(const Bytes& file)
{
    // In memory if that folder exists, because there are thousands of small files.
    static const Folder folder("/dev/shm");
    const fs::path path = folder / "x.gscope";
    put_bytes(path, file);
    std::string said = test::refusal([&] { recording::read(path); });
    if (!said.empty()) {
        EXPECT_TRUE(test::says(said, path.string()));
        EXPECT_EQ(said.back(), '.') << said;
    }
    return said;
}

// Compares every field, including those that differences() ignores.
inline void expect_identical(const recording::Recording& a, const recording::Recording& b)
{
    EXPECT_EQ(recording::differences(a, b), std::vector<std::string>{});
    EXPECT_EQ(a.stage, b.stage);
    EXPECT_EQ(a.parameters, b.parameters);
    EXPECT_EQ(a.problem, b.problem);
    EXPECT_EQ(std::signbit(a.problem.beta), std::signbit(b.problem.beta));
    EXPECT_EQ(a.inputs, b.inputs);
    EXPECT_EQ(a.launch, b.launch);
    EXPECT_EQ(a.sources, b.sources);
    EXPECT_EQ(a.body, b.body);
    EXPECT_EQ(a.device.backend, b.device.backend);
    EXPECT_EQ(a.device.name, b.device.name);
    EXPECT_EQ(a.device.compute_capability, b.device.compute_capability);
    EXPECT_EQ(a.device.sm_count, b.device.sm_count);
    EXPECT_EQ(a.device.max_threads_per_sm, b.device.max_threads_per_sm);
    EXPECT_EQ(a.device.clock_khz, b.device.clock_khz);
    EXPECT_EQ(a.device.peak_gflops, b.device.peak_gflops);
    EXPECT_EQ(a.device.toolkit, b.device.toolkit);
    EXPECT_EQ(a.recorded_at, b.recorded_at);
    EXPECT_EQ(a.resources, b.resources);
    EXPECT_EQ(a.placed, b.placed);
    ASSERT_EQ(a.arrays.size(), b.arrays.size());
    for (size_t i = 0; i < a.arrays.size(); ++i) {
        const recording::Array &x = a.arrays[i], &y = b.arrays[i];
        EXPECT_EQ(std::tie(x.name, x.space, x.rows, x.cols, x.element_bytes, x.bytes, x.layout, x.pitch),
                  std::tie(y.name, y.space, y.rows, y.cols, y.element_bytes, y.bytes, y.layout, y.pitch));
    }
    EXPECT_EQ(a.lines, b.lines);
    EXPECT_EQ(a.owner, b.owner);
    ASSERT_EQ(a.placements.size(), b.placements.size());
    for (size_t i = 0; i < a.placements.size(); ++i) {
        const recording::Placement &x = a.placements[i], &y = b.placements[i];
        EXPECT_EQ(std::tie(x.sm, x.start_ns, x.end_ns), std::tie(y.sm, y.start_ns, y.end_ns));
    }
    ASSERT_EQ(a.blocks.size(), b.blocks.size());
    for (size_t i = 0; i < a.blocks.size(); ++i) {
        EXPECT_EQ(a.blocks[i].block, b.blocks[i].block);
        ASSERT_EQ(a.blocks[i].warps.size(), b.blocks[i].warps.size());
        for (size_t warp = 0; warp < a.blocks[i].warps.size(); ++warp)
            EXPECT_EQ(a.blocks[i].warps[warp].accesses, b.blocks[i].warps[warp].accesses);
    }
}

} // namespace file_support
