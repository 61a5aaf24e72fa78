// Recording files: writing, reading back, and failing to write.
#include "tests/kernels/recording/recording_file_support.h"

#include <chrono>
#include <csignal>
#include <iostream>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace file_support;
using recording::Recording;

std::string write_refusal(const Recording& recording, const fs::path& path)
{
    return test::refusal([&] { recording::write(recording, path); });
}

TEST(RecordingFile, RoundTripKeepsEveryField)
{
    const Folder folder;
    const Recording recording = sample::recording();
    recording::write(recording, folder / "x.gscope");
    expect_identical(recording, recording::read(folder / "x.gscope"));
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"x.gscope"});
}

TEST(RecordingFile, RoundTripOfWhatTheCpuLeavesOut)
{
    const Folder folder;
    Recording recording = sample::recording();
    recording.resources.reset();
    recording.placed.reset();
    recording.placements.clear();
    recording.owner.clear();
    recording.blocks.clear();
    recording.lines.clear();
    recording.parameters.clear();
    recording.sources = {{}};
    recording.body = 0;
    recording.device = {};
    recording.recorded_at.clear();
    recording::write(recording, folder / "x.gscope");
    expect_identical(recording, recording::read(folder / "x.gscope"));
}

TEST(RecordingFile, RoundTripOfWarpsWithoutAccesses)
{
    const Folder folder;
    Recording recording = sample::recording();
    recording.blocks[0].warps = {{}, {}};
    recording.blocks[1].warps[0] = {};
    recording::write(recording, folder / "x.gscope");
    expect_identical(recording, recording::read(folder / "x.gscope"));
}

TEST(RecordingFile, RoundTripOfEveryKindOfStep)
{
    const Folder folder;
    const Recording recording = sample::with_every_kind();
    recording::write(recording, folder / "x.gscope");
    expect_identical(recording, recording::read(folder / "x.gscope"));
}

// The header as documented, written by the test's own code.
TEST(RecordingFile, HasTheDocumentedHeader)
{
    const Folder folder;
    recording::write(sample::recording(), folder / "x.gscope");
    const Bytes file = test::text_of(folder / "x.gscope");
    const Bytes content = content_of(sample::recording());
    EXPECT_EQ(file.substr(0, 40), header({3, 5, file.size() - 40, content.size()}));
    Bytes frame(content.size(), '\0');
    EXPECT_EQ(ZSTD_decompress(frame.data(), frame.size(), file.data() + 40, file.size() - 40), content.size());
    EXPECT_EQ(frame, content);
    EXPECT_EQ(refusal(wrap(content)), "");
}

TEST(RecordingFile, SaysWhatItsMatricesHeld)
{
    for (const auto inputs : {recording::Inputs::unknown, recording::Inputs::random, recording::Inputs::small}) {
        const Folder folder;
        Recording recording = sample::recording();
        recording.inputs = inputs;
        recording::write(recording, folder / "x.gscope");
        EXPECT_EQ(recording::read(folder / "x.gscope").inputs, inputs);
    }
}

TEST(RecordingFile, InputsOfANewerGemmscopeAreRefused)
{
    Recording recording = sample::recording();
    recording.inputs = static_cast<recording::Inputs>(3);
    const std::string reason = refusal(wrap(content_of(recording), 2, 3));
    EXPECT_TRUE(says(reason, "inputs of kind 3, which this gemmscope does not know. Update gemmscope"));
}

TEST(RecordingFile, EncodedBoundHolds)
{
    Recording recording = sample::recording();
    EXPECT_LE(content_of(recording).size(), recording::encoded_bound(recording));
    recording.parameters.assign(recording::parameter_limit, {"N", 1});
    recording.arrays.resize(recording::array_limit, recording.arrays.back());
    for (uint32_t line = 100; line < 4000; ++line)
        recording.lines.push_back({line, {}});
    for (uint32_t x = 10; x < 2000; ++x)
        recording.blocks.push_back({{x, 0, 0}, {{}, {}}});
    EXPECT_LE(content_of(recording).size(), recording::encoded_bound(recording));
}

TEST(RecordingFile, ReplacesAnExistingFileAndKeepsItsPermissions)
{
    const Folder folder;
    put_bytes(folder / "x.gscope", "old");
    fs::permissions(folder / "x.gscope", fs::perms::owner_read | fs::perms::owner_write);
    recording::write(sample::recording(), folder / "x.gscope");
    expect_identical(sample::recording(), recording::read(folder / "x.gscope"));
    EXPECT_EQ(fs::status(folder / "x.gscope").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(RecordingFile, WritesThroughALink)
{
    const Folder folder;
    put_bytes(folder / "target.gscope", "old");
    fs::create_symlink("target.gscope", folder / "link.gscope");
    recording::write(sample::recording(), folder / "link.gscope");
    EXPECT_TRUE(fs::is_symlink(folder / "link.gscope"));
    expect_identical(sample::recording(), recording::read(folder / "target.gscope"));
}

TEST(RecordingFile, WritesThroughALinkToWhatIsNotThereYet)
{
    const Folder folder;
    fs::create_directory(folder / "below");
    fs::create_symlink("below/next.gscope", folder / "link.gscope");
    fs::create_symlink(folder / "below/target.gscope", folder / "below/next.gscope");
    recording::write(sample::recording(), folder / "link.gscope");
    EXPECT_TRUE(fs::is_symlink(folder / "link.gscope"));
    EXPECT_TRUE(fs::is_symlink(folder / "below/next.gscope"));
    expect_identical(sample::recording(), recording::read(folder / "below/target.gscope"));
}

TEST(RecordingFile, SaysWhyItCannotWrite)
{
    const Folder folder;
    put_bytes(folder / "file", "");
    const Recording recording = sample::recording();
    const std::string missing = write_refusal(recording, folder / "missing/x.gscope");
    EXPECT_TRUE(says(missing, "missing/x.gscope: No such file or directory. Create the folder"));
    EXPECT_TRUE(says(write_refusal(recording, folder / "file/x.gscope"), "Not a directory. Create the folder"));
    EXPECT_TRUE(says(write_refusal(recording, folder.path()), "not a regular file. Choose another name."));
    EXPECT_TRUE(says(write_refusal(recording, folder / "new/"), "names no file"));
    EXPECT_TRUE(says(write_refusal(recording, ""), "names no file"));
    // The test uses a pipe in place of a device. If the check were broken, a test as root would remove a real device.
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0666), 0);
    EXPECT_TRUE(says(write_refusal(recording, folder / "pipe"), "not a regular file"));
    EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
}

TEST(RecordingFile, SaysThatAFolderIsNotWritable)
{
    const Folder folder;
    fs::create_directory(folder / "closed");
    put_bytes(folder / "closed/x.gscope", "old");
    fs::permissions(folder.path(), fs::perms::all);
    fs::permissions(folder / "closed",
                    fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    const uid_t user = ::geteuid();
    ASSERT_EQ(::seteuid(user == 0 ? 65534 : user), 0); // permissions do not restrict root
    const std::string reason = write_refusal(sample::recording(), folder / "closed/x.gscope");
    ASSERT_EQ(::seteuid(user), 0);
    EXPECT_TRUE(says(reason, "Permission denied. Choose a folder in which you may write."));
    EXPECT_EQ(test::text_of(folder / "closed/x.gscope"), "old");
    fs::permissions(folder / "closed", fs::perms::all);
}

TEST(RecordingFile, FullDiskLeavesTheOldFileAndNothingElse)
{
    const Folder folder;
    put_bytes(folder / "x.gscope", "old");
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{100, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string reason = write_refusal(sample::recording(), folder / "x.gscope");
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_TRUE(says(reason, "File too large. Free some space"));
    EXPECT_EQ(test::text_of(folder / "x.gscope"), "old");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"x.gscope"});
}

TEST(RecordingFile, RefusesToWriteWhatItWouldNotRead)
{
    const Folder folder;
    Recording recording = sample::recording();
    recording.owner.pop_back();
    const std::string reason = write_refusal(recording, folder / "x.gscope");
    EXPECT_TRUE(says(reason, "its owner map has 119 elements but C has 120"));
    EXPECT_FALSE(fs::exists(folder / "x.gscope"));
}

// Prints times for information, and cannot fail. The recording is like that of `naive`: 32 warps, 2 x 1024 loads and a
// store each, and a 4096 x 4096 owner map of 128 x 128 tiles with 8 x 8 elements per thread.
TEST(RecordingFile, PrintsHowLongLargeOnesTake)
{
    using Clock = std::chrono::steady_clock;
    const auto milliseconds = [](Clock::duration time) {
        return std::chrono::duration<double, std::milli>(time).count();
    };
    const auto measure = [&](const Recording& recording, const char* what) {
        const Folder folder;
        const auto start = Clock::now();
        recording::write(recording, folder / "x.gscope");
        const auto written = Clock::now();
        const Recording back = recording::read(folder / "x.gscope");
        const auto done = Clock::now();
        EXPECT_TRUE(recording::differences(recording, back).empty());
        std::cout << what << ": " << recording::encoded_bound(recording) << " bytes as "
                  << fs::file_size(folder / "x.gscope") << ", written in " << milliseconds(written - start)
                  << " ms, read in " << milliseconds(done - written) << " ms\n";
    };
    Recording map = sample::recording();
    map.blocks.clear();
    map.placements.clear();
    map.problem = {4096, 4096, 8, 1, 0};
    map.launch = {{32, 32, 1}, {256, 1, 1}};
    map.arrays[2] = sample::array("C", recording::Space::global, 4096, 4096);
    map.owner.clear();
    for (uint32_t row = 0; row < 4096; ++row)
        for (uint32_t col = 0; col < 4096; ++col)
            map.owner.push_back((row / 128 * 32 + col / 128) * 256 + row % 128 / 8 * 16 + col % 128 / 8);
    measure(map, "owner map");

    Recording trace = sample::recording();
    trace.problem = {1024, 1024, 1024, 1, 0};
    trace.launch = {{32, 32, 1}, {32, 32, 1}};
    trace.owner.clear();
    trace.placements.clear();
    for (size_t i = 0; i < 3; ++i)
        trace.arrays[i] = sample::array(&"ABC"[i], recording::Space::global, 1024, 1024);
    trace.blocks = {{{0, 0, 0}, std::vector<recording::WarpTrace>(32)}};
    for (uint32_t warp = 0; warp < 32; ++warp) {
        std::vector<recording::Access>& accesses = trace.blocks[0].warps[warp].accesses;
        for (uint32_t k = 0; k < 1024; ++k) {
            accesses.push_back(sample::access(sample::Op::global_load, 0, 4, ~0u, k * 4, 4096));
            accesses.push_back(sample::access(sample::Op::global_load, 1, 4, ~0u, (k * 1024 + warp) * 4, 0));
        }
        accesses.push_back(sample::access(sample::Op::global_store, 2, 5, ~0u, warp * 4, 4096));
    }
    measure(trace, "trace");
}

} // namespace
