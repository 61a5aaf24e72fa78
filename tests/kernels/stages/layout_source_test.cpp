// A recording contains the files of its kernel's code, and the definitions of its layouts are found in them.
#include "backend.h"
#include "stage.h"
#include "tests/ladder.h"
#include "tests/says.h"

#include <gtest/gtest.h>

namespace {

using test::ladder;
using test::says;

recording::Recording described(const kernels::Stage& stage)
{
    return kernels::describe_launch({&stage, stage.standard_parameters(), {128, 128, 128}}, {});
}

std::string lines_of(const recording::Recording& recording, const kernels::DefinitionLines& lines)
{
    const std::string& text = recording.sources.at(lines.source).text;
    std::string result;
    uint32_t number = 1;
    for (std::size_t start = 0; start < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (number >= lines.first && number <= lines.last)
            result += text.substr(start, end - start) + "\n";
        start = end + 1;
    }
    return result;
}

TEST(LayoutSource, SwizzledShowsItsOwnFileAndTheBodyThatUsesIt)
{
    const kernels::Stage& stage = test::stage("swizzled");
    const recording::Recording recording = described(stage);
    ASSERT_EQ(recording.sources.size(), 2u);
    EXPECT_EQ(recording.sources[0].name, "stages/16_swizzled.cu");
    EXPECT_EQ(recording.source().name, "stages/11_vectorized.cu");
    ASSERT_EQ(stage.layouts.size(), 2u);
    for (const kernels::LayoutSource& layout : stage.layouts) {
        const auto lines = kernels::find_layout(layout, recording);
        ASSERT_TRUE(lines) << layout.name;
        EXPECT_EQ(lines->source, 0u);
        const std::string text = lines_of(recording, *lines);
        EXPECT_TRUE(says(text, " ^ "));
    }
}

TEST(LayoutSource, IsFoundForEveryRungThatNamesOne)
{
    std::size_t named = 0;
    for (const kernels::Stage& stage : ladder()) {
        const recording::Recording recording = described(stage);
        EXPECT_EQ(recording.sources.at(0).name, stage.file);
        EXPECT_EQ(recording.source().name, stage.body_file);
        for (const recording::SourceFile& source : recording.sources)
            EXPECT_FALSE(source.text.empty()) << source.name;
        for (const kernels::LayoutSource& layout : stage.layouts) {
            ++named;
            const auto lines = kernels::find_layout(layout, recording);
            ASSERT_TRUE(lines) << stage.slug << ": " << layout.name;
            EXPECT_TRUE(says(lines_of(recording, *lines), "return")) << stage.slug;
            bool is_tile = false;
            for (const recording::Array& array : recording.arrays)
                is_tile |= kernels::is_tile_of(array.name, layout.array);
            EXPECT_TRUE(is_tile) << stage.slug << " has no tile " << layout.array;
        }
    }
    EXPECT_GE(named, 8u);
}

TEST(LayoutSource, IsMissingWhereTheFileIs)
{
    const kernels::Stage& stage = test::stage("swizzled");
    recording::Recording recording = described(stage);
    recording.sources = {recording.source()}; // as recorded before format 2.1
    recording.body = 0;
    EXPECT_FALSE(kernels::find_layout(stage.layouts.at(0), recording));
    EXPECT_FALSE(kernels::is_tile_of("Bs[1]", "As"));
    EXPECT_TRUE(kernels::is_tile_of("As[1]", "As"));
    EXPECT_FALSE(kernels::is_tile_of("Assets", "As"));
}

} // namespace
