// Structs are written as one line of text and read back. Default values are omitted, and impossible values are refused.
#include "base/field_words.h"
#include "tests/says.h"

#include "error.h"
#include "recording/recording.h"

#include <gtest/gtest.h>

namespace {

using kernels::Word;
using test::says;

enum class Colour : uint8_t { red, green };
constexpr std::array<std::string_view, 2> names_of(Colour)
{
    return {"red", "green"};
}

struct Everything {
    std::string name = "usual", kind;
    std::filesystem::path file;
    bool on = false, off = true;
    uint32_t count = 3;
    float scale = 1;
    std::optional<std::size_t> step;
    Colour colour = Colour::red;
    std::optional<std::pair<uint32_t, uint32_t>> cell;
    recording::Index3 block{0, 0, 0};
    std::vector<std::string> parts;
    kernels::NamedTexts parameters, others;
    friend bool operator==(const Everything&, const Everything&) = default;
};
void fields(auto& visit, kernels::Like<Everything> auto& all)
{
    visit("name", all.name, kernels::always_written);
    visit("kind", all.kind, kernels::one_of("large", "small"));
    visit("file", all.file);
    visit("on", all.on);
    visit("off", all.off);
    visit("count", all.count, kernels::between(1u, 10u));
    visit("scale", all.scale, kernels::any_number, kernels::between(-5, 5));
    visit("step", all.step);
    visit("colour", all.colour);
    visit("cell", all.cell);
    visit("block", all.block);
    visit("parts", all.parts);
    visit("parameter", all.parameters, kernels::by_own_name);
    visit("other", all.others);
}

std::string text_of(const Everything& all)
{
    return kernels::text_of(kernels::words_of_fields(all));
}

Everything read(std::string_view text)
{
    return kernels::fields_of_words<Everything>(kernels::words_of(text), "A thing");
}

TEST(FieldWords, LeaveOutWhatIsAtItsDefault)
{
    EXPECT_EQ(text_of({}), "name=usual");
    EXPECT_EQ(read(""), Everything{});
    EXPECT_EQ(text_of({.count = 3, .scale = 1}), "name=usual");
}

TEST(FieldWords, AreReadBackAsTheyWereWritten)
{
    const Everything all{.name = "a \"b\" c",
                         .kind = "small",
                         .file = "/some folder/x.cu",
                         .on = true,
                         .off = false,
                         .count = 10,
                         .scale = -0.1f,
                         .step = 0,
                         .colour = Colour::green,
                         .cell = std::pair{4u, 5u},
                         .block = {0, 2, 0},
                         .parts = {"x", "y"},
                         .parameters = {{"BK", "16"}, {"threads", "32"}},
                         .others = {{"BK", "8"}}};
    EXPECT_EQ(text_of(all),
              "name=\"a \\\"b\\\" c\" kind=small file=\"/some folder/x.cu\" on off=no count=10 scale=-0.1 step=0 "
              "colour=green cell=4,5 block=0,2,0 parts=x,y BK=16 parameter=threads:32 other=BK:8");
    EXPECT_EQ(read(text_of(all)), all);
    EXPECT_EQ(read("block=1,2").block, (recording::Index3{1, 2, 0})) << "a dimension that is not given";
}

TEST(FieldWords, KeepQuotationMarksAndBackslashesOfEveryDepth)
{
    for (const char* name : {"a b\\", "\\\"", "\\\\ \"", "back\\slash", "one \\ two", "\""}) {
        const Everything once{.name = name}, twice{.name = text_of(once)};
        EXPECT_EQ(read(text_of(once)), once) << name;
        EXPECT_EQ(read(read(text_of(twice)).name), once) << name;
    }
}

TEST(FieldWords, RefuseWhatCannotBe)
{
    for (const char* text :
         {"count=0",       "count=11", "count=-1",    "count=x",     "count=", "count=3x",   "scale=6",  "scale=nan",
          "step=-1",       "step=",    "colour=blue", "colour=",     "cell=3", "cell=1,2,3", "cell=a,b", "block=",
          "block=1,2,3,4", "other=BK", "kind=middle", "name=\"open", "bk=16",  "K"})
        EXPECT_THROW(read(text), kernels::Error) << text;
    EXPECT_TRUE(says(test::refusal([] { read("size=3"); }), "A thing has no \"size\""));
    EXPECT_TRUE(says(test::refusal([] { read("colour=blue"); }), "red, green"));
}

} // namespace
