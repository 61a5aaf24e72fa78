// Exports in every format agree with the picture on the screen.
#include "../../pictures/read_pictures.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "app/cli/command.h"
#include "app/text/command_words.h"

#include "temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using test::says;

class Exports : public testing::Test {
protected:
    Exports() { setenv("GEMMSCOPE_NO_MEASURING", "1", 1); } // exports contain no measurements

    std::string at(const std::string& name) const { return (folder.path() / name).string(); }

    // Runs the command with these words and this output file.
    static int run(const std::string& words, const std::string& output)
    {
        std::vector<std::string> arguments{"gemmscope"};
        for (std::size_t begin = 0; begin < words.size();) {
            const std::size_t end = std::min(words.find(' ', begin), words.size());
            arguments.push_back(words.substr(begin, end - begin));
            begin = end + 1;
        }
        arguments.insert(arguments.end(), {"--in-process", "-o", output});
        std::vector<const char*> pointers;
        for (const std::string& argument : arguments)
            pointers.push_back(argument.c_str());
        testing::internal::CaptureStdout();
        const int status = app::run_command_line(static_cast<int>(pointers.size()), pointers.data());
        testing::internal::GetCapturedStdout();
        return status;
    }
    // Compares a view's SVG and PDF, rendered by other programs, with its PNG.
    void expect_alike(const std::string& words)
    {
        ASSERT_EQ(run("export --size 1000x700 " + words, at("a.png")), 0);
        ASSERT_EQ(run("export --size 1000x700 " + words, at("a.svg")), 0);
        ASSERT_EQ(run("export --size 1000x700 " + words, at("a.pdf")), 0);
        test::said_by("rsvg-convert '" + at("a.svg") + "' -o '" + at("svg.png") + "'");
        test::said_by("pdftoppm -r 96 -png -singlefile '" + at("a.pdf") + "' '" + at("pdf") + "'");
        const app::Picture picture = test::read_png(at("a.png"));
        for (const char* other : {"svg.png", "pdf.png"}) {
            // Other programs place characters between whole pixels and smooth edges differently. So the pictures are
            // compared at an eighth of their size.
            const test::Difference found =
                test::difference(test::shrunk(picture, 8), test::shrunk(test::read_png(at(other)), 8));
            EXPECT_LT(found.mean, 3) << words << ": " << other;
            EXPECT_LT(found.share, 0.01) << words << ": " << other;
        }
    }

    kernels::TemporaryFolder folder;
};

TEST_F(Exports, APictureIsTheRegionOfTheScreen)
{
    for (const std::string scale : {"1", "1.5"}) {
        const std::string words = "--view flow --stage vectorized --compare swizzled --theme light --scale " + scale;
        ASSERT_EQ(run("screenshot --size 1600x1000 --describe " + at("a.json") + " " + words, at("window.png")), 0);
        const nlohmann::json region = nlohmann::json::parse(test::text_of(at("a.json"))).at("region");
        const auto of = [&](const char* key) { return region.at(key).get<uint32_t>(); };
        // The size of an export is a whole number of units. Skips a scale at which the region is not.
        const double per_unit = std::stod(scale);
        const auto width = static_cast<uint32_t>(of("w") / per_unit),
                   height = static_cast<uint32_t>(of("h") / per_unit);
        if (width * per_unit != of("w") || height * per_unit != of("h"))
            continue;
        ASSERT_EQ(run(fmt::format("export --size {}x{} {}", width, height, words), at("view.png")), 0);
        const app::Picture window = test::read_png(at("window.png")), view = test::read_png(at("view.png"));
        // The exact width of the region is fractional, so some edges are at other parts of a pixel.
        const test::Difference found = test::difference(test::cut(window, of("x"), of("y"), of("w"), of("h")), view);
        EXPECT_LT(found.mean, 0.5) << scale;
        EXPECT_LT(found.share, 0.005) << scale;
    }
}

TEST_F(Exports, VectorsLookLikeThePictureAndHaveItsWords)
{
    expect_alike("--view banks --stage vectorized --compare swizzled");
    for (const char* words : {"16 banks answer", "32 banks answer", "1 conflict", "vectorized"}) {
        EXPECT_TRUE(says(test::text_of(at("a.svg")), words));
        EXPECT_TRUE(says(test::said_by("pdftotext -layout '" + at("a.pdf") + "' -"), words));
    }
}

// The fonts inside an SVG are enough if no other font is installed.
TEST_F(Exports, AnSvgLooksTheSameWithItsOwnFontsAlone)
{
    const std::string words = "export --size 1000x700 --stage vectorized --view banks ";
    ASSERT_EQ(run(words, at("a.png")), 0);
    ASSERT_EQ(run(words, at("a.svg")), 0);
    const std::string svg = test::text_of(at("a.svg")), begin = "data:font/otf;base64,";
    int fonts = 0;
    std::filesystem::create_directory(at("fonts"));
    for (std::size_t found = svg.find(begin); found != std::string::npos; found = svg.find(begin, found + 1)) {
        const std::size_t from = found + begin.size();
        const auto font = app::from_base64(svg.substr(from, svg.find(')', from) - from));
        ASSERT_TRUE(font);
        std::ofstream(at("fonts/" + std::to_string(fonts++) + ".otf"), std::ios::binary) << *font;
    }
    EXPECT_GE(fonts, 3);
    std::ofstream(at("fonts.conf")) << "<?xml version=\"1.0\"?><fontconfig><dir>" << at("fonts") << "</dir><cachedir>"
                                    << at("cache") << "</cachedir></fontconfig>";
    const std::string with = "FONTCONFIG_FILE='" + at("fonts.conf") + "' rsvg-convert '";
    test::said_by(with + at("a.svg") + "' -o '" + at("svg.png") + "'");
    const test::Difference found =
        test::difference(test::shrunk(test::read_png(at("a.png")), 8), test::shrunk(test::read_png(at("svg.png")), 8));
    EXPECT_LT(found.mean, 2);
    EXPECT_LT(found.share, 0.01);
}

class ExportedView : public Exports, public testing::WithParamInterface<const char*> {};

TEST_P(ExportedView, LooksTheSameAsVectors)
{
    expect_alike("--stage swizzled --view " + std::string(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Views, ExportedView,
                         testing::Values("flow", "hierarchy", "gpu", "placement", "tiling", "threads", "patterns",
                                         "global", "layout", "registers", "reuse", "occupancy", "roofline", "faster"),
                         [](const auto& view) { return std::string(view.param); });

TEST_F(Exports, ATransparentPictureHasNoBackgroundButAllElse)
{
    ASSERT_EQ(run("export --view banks --size 800x600", at("a.png")), 0);
    ASSERT_EQ(run("export --view banks --size 800x600 --transparent", at("b.png")), 0);
    const app::Picture whole = test::read_png(at("a.png")), clear = test::read_png(at("b.png"));
    EXPECT_EQ(clear.pixels.front() >> 24, 0u);
    std::size_t visible = 0;
    for (std::size_t i = 0; i < whole.pixels.size(); ++i) {
        if (clear.pixels[i] >> 24 == 0xff)
            ++visible;
        if (clear.pixels[i] >> 24 == 0) {
            ASSERT_EQ(whole.pixels[i], 0xffffffffu) << i; // it was the background
        }
    }
    EXPECT_GT(visible, whole.pixels.size() / 8);
    ASSERT_EQ(run("export --view banks --size 800x600 --transparent", at("b.svg")), 0);
    test::said_by("rsvg-convert '" + at("b.svg") + "' -o '" + at("svg.png") + "'");
    EXPECT_EQ(test::read_png(at("svg.png")).pixels.front() >> 24, 0u);
}

TEST_F(Exports, ASequenceGoesFromTheFirstStepToTheLast)
{
    const std::string words = "export --view banks --stage vectorized --size 640x480 ";
    const std::string played = words + "--steps 44-47 --fps 10 --seconds 1";
    ASSERT_EQ(run(played, at("a.gif")), 0);
    ASSERT_EQ(run(words + "--step 44", at("first.png")), 0);
    ASSERT_EQ(run(words + "--step 47", at("last.png")), 0);
    const std::vector<app::Picture> gif = test::read_gif(at("a.gif"));
    const app::Picture first = test::read_png(at("first.png")), last = test::read_png(at("last.png"));
    ASSERT_EQ(gif.size(), 11u);
    EXPECT_NE(first.pixels, last.pixels);
    for (const auto& [shown, is] : {std::pair{gif.front(), first}, {gif.back(), last}}) {
        const test::Difference found = test::difference(shown, is);
        EXPECT_LT(found.mean, 0.5);
        EXPECT_LT(found.most, 40);
    }
}

// tests/browser checks that the page plays.
TEST_F(Exports, APageThatPlaysNeedsNothingBesideIt)
{
    const std::string words = "export --view flow --stage vectorized --compare swizzled ";
    ASSERT_EQ(run(words + "--steps 44-47 --fps 10 --seconds 1", at("a.html")), 0);
    const std::string page = test::text_of(at("a.html"));
    for (const char* part : {"src=", "href=", "@import", "url(", "import {", "export class"})
        EXPECT_FALSE(says(page, part)) << part;
    for (const char* part :
         {"<title>flow, vectorized beside swizzled</title>", "<h1>flow, vectorized beside swizzled</h1>",
          "steps 44 to 47", "swizzled: vectorized, with XOR-swizzled tiles", "<details>", "<table>",
          "aria-label=\"Play\"", "gemmscope export --show", "prefers-color-scheme"})
        EXPECT_TRUE(says(page, part)) << part;
    EXPECT_LT(page.size(), 400'000u);
    // The table omits empty columns. A page with one picture names only its step.
    EXPECT_FALSE(says(page, "<th>row</th><th>col</th><th>from</th><th>until</th>"));
    ASSERT_EQ(run(words + "--step 44", at("b.html")), 0);
    EXPECT_TRUE(says(test::text_of(at("b.html")), "Data path: step 44 of one warp."));
}

// The stage with conflicts falls behind, so in the race the second stage is at a later step than in a picture of step
// 44.
TEST_F(Exports, ARaceRunsOnOneClock)
{
    const std::string words = "export --view banks --stage vectorized --compare swizzled ";
    ASSERT_EQ(run(words + "--steps 44-47 --fps 10 --seconds 1 --size 640x480", at("a.gif")), 0);
    ASSERT_EQ(run(words + "--step 44 --size 640x408", at("same.png")), 0); // the timeline takes the rest
    const app::Picture same = test::read_png(at("same.png"));
    const std::vector<app::Picture> race = test::read_gif(at("a.gif"));
    ASSERT_EQ(race.size(), 11u);
    const auto differs = [&](uint32_t left) { // share of pixels that change by more than the palette's error
        return test::difference(test::cut(race.front(), left, 60, 320, 260), test::cut(same, left, 60, 320, 260)).share;
    };
    EXPECT_GT(differs(320), 0.02);
    EXPECT_EQ(differs(0), 0);
    // Who is ahead, and below it where both stages are: at the end neither is as at the beginning.
    for (const auto& [from, height] : {std::pair{412u, 20u}, {436u, 18u}, {456u, 18u}})
        EXPECT_GT(test::difference(test::cut(race.front(), 0, from, 640, height),
                                   test::cut(race.back(), 0, from, 640, height))
                      .share,
                  0.002)
            << from;
}

TEST_F(Exports, WhatAViewShowsAsATable)
{
    const auto rows_of = [&](const std::string& words) {
        EXPECT_EQ(run("export --view " + words, at("a.json")), 0) << words;
        return nlohmann::json::parse(test::text_of(at("a.json"))).at("rows");
    };
    // Both stages have one tile, and so one place along the axis: 1024 / 33 FLOP per byte.
    int points = 0;
    for (const nlohmann::json& row : rows_of("roofline --stage vectorized --compare swizzled"))
        if (row.at("name") == "point:vectorized" || row.at("name") == "point:swizzled") {
            ++points;
            EXPECT_NEAR(row.at("from").get<double>(), 31.03, 0.01);
            EXPECT_GT(row.at("value").get<double>(), 1000);
        }
    EXPECT_EQ(points, 2);
    // Eight lanes access every second word of eight banks: lane 4 meets lane 0 in bank 0. A stride of 8 puts all lanes
    // in one bank.
    std::map<std::string, double> shown;
    for (const nlohmann::json& row : rows_of("patterns"))
        if (row.at("value").is_number())
            shown[row.at("name")] = row.at("value");
    EXPECT_EQ(shown.at("lane 4"), 0);
    EXPECT_EQ(shown.at("bank 0 in wavefront 1"), 0);
    EXPECT_EQ(shown.at("bank 0 in wavefront 2"), 4);
    EXPECT_FALSE(shown.contains("bank 1 in wavefront 1"));
    EXPECT_EQ(shown.at("stride 8"), 8);
    EXPECT_EQ(shown.at("stride now"), 2);
    // Each compared stage has figures of its own, the third one too.
    std::map<std::string, int> figures;
    for (const nlohmann::json& row : rows_of("banks --stage vectorized --compare swizzled,prefetched"))
        if (row.at("panel").is_string() && row.at("value").is_number())
            ++figures[row.at("panel")];
    for (const char* stage : {"vectorized", "swizzled", "prefetched"})
        EXPECT_GT(figures[stage], 20) << stage;
    for (const std::string view : {"flow", "hierarchy", "gpu", "placement", "tiling", "threads", "patterns", "global",
                                   "banks", "layout", "registers", "reuse", "occupancy", "roofline", "faster"})
        EXPECT_GT(rows_of(view + " --stage vectorized --compare swizzled").size(), 3u) << view;
    ASSERT_EQ(run("export --view occupancy --stage vectorized", at("a.csv")), 0);
    EXPECT_TRUE(test::text_of(at("a.csv")).starts_with("panel,name,series,row,col,from,until,value,words\r\n"));
}

// The steps of a recording as a table, without a view.
TEST_F(Exports, EachStepOfARecordingAndItsCost)
{
    const std::string file = test::shipped("vectorized.gscope");
    std::vector<const char*> arguments{"gemmscope", "info", file.c_str(), "--steps", "--csv"};
    testing::internal::CaptureStdout();
    ASSERT_EQ(app::run_command_line(static_cast<int>(arguments.size()), arguments.data()), 0);
    const std::string steps = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(
        steps.starts_with("block,warp,step,line,operation,array,bytes_per_lane,lanes,wavefronts,conflicts,requests,"
                          "sectors\r\n"));
    EXPECT_TRUE(says(steps, "\n\"0,0,0\",0,2,76,shared store,As,4,32,2,1,,\r\n")) << "16 banks answer twice";
}

TEST_F(Exports, AReportIsOnePageWithEverythingInIt)
{
    ASSERT_EQ(run("report vectorized swizzled", at("r.html")), 0);
    const std::string page = test::text_of(at("r.html"));
    EXPECT_FALSE(says(page, "<script src"));
    EXPECT_FALSE(says(page, "href="));
    EXPECT_TRUE(says(page, "class=\"player\""));
    EXPECT_LT(page.size(), 3'000'000u);
    EXPECT_FALSE(says(page, "src="));
    EXPECT_FALSE(says(page, "@import"));
    for (const char* words :
         {"<title>vectorized beside swizzled</title>", "16 banks answer", "@media print", "prefers-color-scheme",
          "bank conflicts", "recorded on", "stages/11_vectorized.cu", "As.store("})
        EXPECT_TRUE(says(page, words));
    std::size_t pictures = 0; // counts the SVG elements with xmlns, which icons of buttons do not have
    for (std::size_t at_ = page.find("<svg xmlns"); at_ != std::string::npos; at_ = page.find("<svg xmlns", at_ + 1))
        ++pictures;
    EXPECT_EQ(pictures, 9u);
}

TEST_F(Exports, WhatCannotBeIsSaid)
{
    const auto said = [&](const std::string& words, const std::string& output) {
        testing::internal::CaptureStderr();
        EXPECT_NE(run("export --view banks " + words, output), 0);
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_TRUE(says(said("--size 640x480", at("a.jpg")), ".png, .svg, .pdf"));
    EXPECT_TRUE(says(said("--steps 1-2", at("a.png")), "holds one picture"));
    EXPECT_TRUE(says(said("--steps 2-1", at("a.html")), "no steps 2 to 1"));
    EXPECT_TRUE(says(said("--steps 2-1", at("a.gif")), "no steps 2 to 1"));
    EXPECT_TRUE(says(said("--steps 2", at("a.gif")), "such as 40-60"));
    EXPECT_TRUE(says(said("--size 640", at("a.png")), "such as 1280x800"));
    EXPECT_TRUE(says(said("--size 9000x9000 --scale 2", at("a.png")), "16384"));
    EXPECT_TRUE(says(said("--step 0", at("nowhere/a.svg")), "Create the folder"));
}

} // namespace
