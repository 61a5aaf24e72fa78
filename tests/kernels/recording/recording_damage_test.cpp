// Reading truncated, damaged or hostile files, or files of another version, gives a sentence and never crashes.
#include "tests/kernels/recording/recording_file_support.h"

#include <random>

namespace {

using namespace file_support;
using recording::Recording;

Bytes sample_file()
{
    const Folder folder;
    recording::write(sample::recording(), folder / "x.gscope");
    return test::text_of(folder / "x.gscope");
}

TEST(RecordingDamage, MissingFileAndFolder)
{
    const Folder folder;
    const auto reason = [](const fs::path& path) { return test::refusal([&] { recording::read(path); }); };
    EXPECT_TRUE(says(reason(folder / "none.gscope"), "none.gscope: No such file or directory. Check its name."));
    EXPECT_TRUE(says(reason(folder.path()), "it is not a regular file"));
    EXPECT_TRUE(says(reason("/dev/zero"), "it is not a regular file"));
}

TEST(RecordingDamage, OtherFiles)
{
    EXPECT_TRUE(says(refusal("#include <vector>\n"), "is not a gemmscope recording"));
    EXPECT_TRUE(says(refusal(Bytes(1000, '\0')), "is not a gemmscope recording"));
}

TEST(RecordingDamage, EveryTruncationIsNamed)
{
    const Bytes file = sample_file();
    for (size_t size = 0; size < file.size(); ++size)
        ASSERT_TRUE(says(refusal(file.substr(0, size)), "is truncated")) << size;
}

TEST(RecordingDamage, BytesAfterTheEnd)
{
    EXPECT_TRUE(says(refusal(sample_file() + "x"), "1 bytes follow its end"));
    const Bytes content = content_of(sample::recording()), frame = compress(content);
    EXPECT_TRUE(says(refusal(header({2, 0, 2 * frame.size(), content.size()}) + frame + frame),
                     "something follows its content"));
}

TEST(RecordingDamage, EveryBitOfTheHeader)
{
    const Bytes file = sample_file();
    for (size_t bit = 0; bit < 40 * 8; ++bit) {
        Bytes damaged = file;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
        const std::string reason = refusal(damaged);
        ASSERT_TRUE(says(reason, bit < 64 ? "is not a gemmscope recording" : "is damaged")) << bit;
    }
}

TEST(RecordingDamage, EveryByteOfTheFrame)
{
    const Bytes file = sample_file();
    for (size_t i = 40; i < file.size(); ++i) {
        Bytes damaged = file;
        damaged[i] = static_cast<char>(~damaged[i]);
        ASSERT_TRUE(says(refusal(damaged), "is damaged")) << i;
    }
}

// A hostile writer makes changes that checksums do not detect: only the content changes.
TEST(RecordingDamage, RandomChangesBehindTheChecksums)
{
    const Bytes content = content_of(sample::recording());
    std::mt19937 random(7);
    size_t read = 0, refused = 0;
    for (int round = 0; round < 6000; ++round) {
        Bytes changed = content;
        for (uint32_t changes = 1 + random() % 4; changes > 0; --changes) {
            const size_t at = random() % changed.size();
            const char values[] = {static_cast<char>(random()), '\0', '\xff', '\x7f',
                                   static_cast<char>(changed[at] ^ (1 << random() % 8))};
            changed[at] = values[random() % std::size(values)];
        }
        if (random() % 50 == 0)
            changed.resize(random() % changed.size());
        const std::string reason = refusal(wrap(changed));
        ++(reason.empty() ? read : refused);
        ASSERT_TRUE(reason.empty() || says(reason, "is not a valid recording: ") ||
                    says(reason, "was made with inputs of kind"))
            << reason;
    }
    // Both outcomes occur, because totals, names and times may have any value, but structure and indices may not.
    EXPECT_GT(read, 100u);
    EXPECT_GT(refused, 1000u);
}

TEST(RecordingDamage, Versions)
{
    const Bytes content = content_of(sample::recording());
    EXPECT_EQ(refusal(wrap(content, 3, 7)), ""); // a newer minor version only adds fields
    EXPECT_EQ(refusal(wrap(content, 1, 0)), ""); // an older major version that is still supported
    const std::string newer = refusal(wrap(content, 4, 1));
    EXPECT_TRUE(says(newer, "was written by a newer gemmscope, in format 4.1; this one reads formats 1 to 3."));
    EXPECT_TRUE(says(newer, "Update gemmscope to open it."));
    EXPECT_TRUE(says(refusal(wrap(content, 0, 9)), "by an older gemmscope, in format 0.9"));
}

TEST(RecordingDamage, DeclaredSizes)
{
    const Bytes content = content_of(sample::recording()), frame = compress(content);
    const auto declared = [&](uint64_t compressed, uint64_t uncompressed) {
        return refusal(header({2, 0, compressed, uncompressed}) + frame);
    };
    EXPECT_EQ(declared(frame.size(), content.size()), "");
    EXPECT_TRUE(says(declared(frame.size(), uint64_t{1} << 60), "is too large"));
    EXPECT_TRUE(says(declared(frame.size(), ~uint64_t{0}), "is too large"));
    EXPECT_TRUE(says(declared(frame.size(), uint64_t{1} << 30), "is smaller than declared"));
    EXPECT_TRUE(says(declared(frame.size(), content.size() + 1), "is smaller than declared"));
    EXPECT_TRUE(says(declared(frame.size(), content.size() - 1), "is larger than declared"));
    EXPECT_TRUE(says(declared(frame.size(), 0), "is larger than declared"));
    EXPECT_TRUE(says(declared(~uint64_t{0}, content.size()), "is truncated"));
    EXPECT_TRUE(says(declared(0, content.size()), "follow its end"));
    EXPECT_TRUE(says(refusal(header({2, 0, 0, 0})), "its content ends too early"));
}

// The file has 256 MiB of zeros in a few KiB. Reading stops at the size in the header.
TEST(RecordingDamage, Bomb)
{
    const Bytes zeros(size_t{1} << 28, '\0'), frame = compress(zeros);
    ASSERT_LT(frame.size(), size_t{1} << 16);
    EXPECT_TRUE(says(refusal(header({2, 0, frame.size(), 1000}) + frame), "is larger than declared"));
    EXPECT_TRUE(says(refusal(header({2, 0, frame.size(), zeros.size()}) + frame), "its tables are malformed"));
}

// A frame may require the reader to keep a window of up to 2 GiB. This one requires 1 GiB.
TEST(RecordingDamage, HostileWindow)
{
    const Bytes frame = Bytes("\x28\xb5\x2f\xfd", 4) + '\0' + static_cast<char>(20 << 3) + Bytes("\x01\0\0", 3);
    const std::string reason = refusal(header({2, 0, frame.size(), 1000}) + frame);
    EXPECT_TRUE(says(reason, "too much memory"));
}

} // namespace
