// The text of a Message, and a check that every Message in the program fits its template.
#include "tests/paths.h"
#include "tests/says.h"
#include "viz/text/templates.h"

#include "viz/origin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace viz;
using test::says;

viz::Templates one(const std::string& body)
{
    viz::Templates all;
    all.add("test", "# not shown\n\n## test.one\n" + body + "\n");
    return all;
}

std::string text_of(const viz::Templates& all, const std::vector<Argument>& arguments)
{
    std::string text;
    for (const viz::Run& run : all.compose({"test.one", arguments}))
        text += run.kind == viz::Run::Kind::new_line ? "\n" : run.kind == viz::Run::Kind::gap ? "|" : run.words;
    return text;
}

TEST(Templates, TakeArgumentsByName)
{
    EXPECT_EQ(text_of(one("Line {line} reads `{array}` {times|time|times}."),
                      {{"times", 8192}, {"line", index(1234)}, {"array", "As"}}),
              "Line 1234 reads As 8,192 times.");
}

TEST(Templates, ChooseWordsByCount)
{
    const viz::Templates lanes = one("{n|lane|lanes} {n?is|are} off");
    EXPECT_EQ(text_of(lanes, {{"n", 1}}), "1 lane is off");
    EXPECT_EQ(text_of(lanes, {{"n", 0}}), "0 lanes are off");
    EXPECT_EQ(text_of(lanes, {{"n", with_decimals(1, 0)}}), "1 lane is off");
    EXPECT_EQ(text_of(lanes, {{"n", with_decimals(1, 1)}}), "1.0 lanes are off");
    const viz::Templates conflicts = one("{n|no conflict|conflict|conflicts}");
    EXPECT_EQ(text_of(conflicts, {{"n", 0}}), "no conflict");
    EXPECT_EQ(text_of(conflicts, {{"n", 1}}), "1 conflict");
    EXPECT_EQ(text_of(conflicts, {{"n", 28}}), "28 conflicts");
    EXPECT_EQ(text_of(one("{store?writes|reads}"), {{"store", true}}), "writes");
}

TEST(Templates, JoinLists)
{
    const viz::Templates tiles = one("k-{tiles?tile|tiles} {tiles}");
    EXPECT_EQ(text_of(tiles, {{"tiles", Value::List{3}}}), "k-tile 3");
    EXPECT_EQ(text_of(tiles, {{"tiles", Value::List{3, 4}}}), "k-tiles 3 and 4");
    EXPECT_EQ(text_of(tiles, {{"tiles", Value::List{3, 4, 5}}}), "k-tiles 3, 4 and 5");
}

TEST(Templates, FormatByUnit)
{
    const viz::Templates any = one("{a}");
    EXPECT_EQ(text_of(any, {{"a", share(0.125)}}), "12.5%");
    EXPECT_EQ(text_of(any, {{"a", share(1)}}), "100%");
    EXPECT_EQ(text_of(any, {{"a", share(0.0001)}}), "<0.1%");
    EXPECT_EQ(text_of(any, {{"a", change_of(2, 1)}}), "-50%");
    EXPECT_EQ(text_of(any, {{"a", nanoseconds(31200)}}), "31.2 µs");
    EXPECT_EQ(text_of(any, {{"a", bytes(228 * 1024)}}), "228 KiB");
    EXPECT_EQ(text_of(any, {{"a", number(31434.2)}}), "31,434");
    EXPECT_EQ(text_of(any, {{"a", rounded(1.25)}}), "1.25");
    EXPECT_EQ(text_of(any, {{"a", rounded(2)}}), "2");
    EXPECT_EQ(text_of(any, {{"a", rounded(12345)}}), "12,345");
    EXPECT_EQ(text_of(any, {{"a", -1500}}), "-1,500");
}

TEST(Templates, GiveStyles)
{
    const std::vector<viz::Run> runs =
        one("*So* **{n}**words `{n}`\n\n> aside").compose({"test.one", {{"n", Value(2).as(Meaning::conflict)}}});
    const std::vector<viz::Run> expected{{.words = "So", .style = Style::strong},
                                         {.words = " "},
                                         {.words = "2", .style = Style::figure, .meaning = Meaning::conflict},
                                         {.words = "words "},
                                         {.words = "2", .style = Style::code, .meaning = Meaning::conflict},
                                         {.kind = viz::Run::Kind::new_line},
                                         {.words = "aside", .style = Style::faint}};
    EXPECT_EQ(runs, expected);
}

TEST(Templates, MakeLegendsOfLists)
{
    const viz::Templates legend = one("Lanes:\n- {a}read\n- {b}written");
    EXPECT_EQ(text_of(legend, {{"a", Swatch{1}}, {"b", NumberOrigin::derived}}), "Lanes:\nread|written");
    EXPECT_EQ(legend.compose({"test.one", {{"a", Swatch{7}}, {"b", Swatch{1}}}})[2].colour, 7u);
}

TEST(Templates, KeepTogetherWhatNoLineMayDivide)
{
    EXPECT_EQ(text_of(one("`{a}&nbsp;/ 2`&nbsp;b"), {{"a", 1}}), "1\u00a0/ 2\u00a0b");
}

TEST(Templates, NestMessages)
{
    viz::Templates all = one("First. {rest}");
    all.add("more", "## more.two\nThen **{n}**.");
    EXPECT_EQ(text_of(all, {{"rest", Messages{{"more.two", {{"n", 2}}}, {"more.two", {{"n", 3}}}}}}),
              "First. Then 2. Then 3.");
}

TEST(Templates, DoNotReadArgumentsAsMarkdown)
{
    EXPECT_EQ(text_of(one("{a}"), {{"a", "a * b * c_{0}_"}}), "a * b * c_{0}_");
}

TEST(Templates, RefuseWhatDoesNotFit)
{
    const viz::Templates all = one("{lanes} in {bank?a|b}");
    EXPECT_THROW(text_of(all, {{"lanes", 1}}), TextError);
    EXPECT_THROW(text_of(all, {{"lanes", 1}, {"bank", 1}, {"line", 1}}), TextError);
    EXPECT_THROW(text_of(all, {{"lanes", 1}, {"bank", "text"}}), TextError);
    EXPECT_THROW(all.compose({"test.two"}), TextError);
    EXPECT_THROW(one("{Lanes}"), TextError);
    EXPECT_THROW(one("{lanes|lane}"), TextError);
    EXPECT_THROW(one("{lanes"), TextError);
    EXPECT_THROW(one("1. first"), TextError);
    EXPECT_THROW(one("[a](b)"), TextError);
    EXPECT_THROW(one(""), TextError);
    EXPECT_THROW(one("a\n## test.one\nb"), TextError);
    EXPECT_THROW(one("a\n## other.one\nb"), TextError);
    EXPECT_TRUE(says(plain(Message{"no such text"}), "no template \"no such text\""));
}

// A Message in the source: its id and the names of its arguments.
struct Use {
    std::string place, id;
    std::set<std::string> arguments;
    bool literal = true; // the arguments are literals, too
};

// A string literal or a punctuation mark of a C++ file, without comments and includes.
struct Token {
    char kind = 0; // '"' for a literal
    std::string text;
    std::size_t line = 0;
};

std::vector<Token> tokens_of(const std::string& code)
{
    std::vector<Token> tokens;
    std::size_t line = 1;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const char c = code[i];
        line += c == '\n' ? 1 : 0;
        if (code.compare(i, 2, "//") == 0 || code.compare(i, 8, "#include") == 0) {
            i = std::min(code.find('\n', i), code.size()) - 1;
        } else if (c == '\'' && i > 0 && std::isalnum(static_cast<unsigned char>(code[i - 1])) == 0) {
            i += code[i + 1] == '\\' ? 3 : 2;
        } else if (c == '"') {
            std::string text;
            for (++i; i < code.size() && code[i] != '"'; ++i)
                text += code[i] == '\\' ? code[++i] : code[i];
            tokens.push_back({'"', text, line});
        } else if (std::ispunct(static_cast<unsigned char>(c)) != 0) {
            tokens.push_back({c, {}, line});
        }
    }
    return tokens;
}

Use use_at(const std::vector<Token>& tokens, std::size_t at)
{
    Use use{.place = {}, .id = tokens[at].text, .arguments = {}};
    int depth = 0;
    for (std::size_t i = at + 1; i < tokens.size() && depth >= 0; ++i) {
        const char kind = tokens[i].kind;
        if (depth == 0 && kind == ';')
            break;
        if (depth == 0 && kind == ',') {
            use.literal = i + 1 < tokens.size() && tokens[i + 1].kind == '{';
            for (int inner = 0; use.literal && ++i < tokens.size();) {
                inner += tokens[i].kind == '{' || tokens[i].kind == '(' ? 1 : 0;
                inner -= tokens[i].kind == '}' || tokens[i].kind == ')' ? 1 : 0;
                if (inner == 2 && tokens[i].kind == '{' && tokens[i + 1].kind == '"')
                    use.arguments.insert(tokens[i + 1].text);
                if (inner == 0)
                    break;
            }
            break;
        }
        depth += kind == '{' || kind == '(' ? 1 : 0;
        depth -= kind == '}' || kind == ')' ? 1 : 0;
    }
    return use;
}

std::vector<Use> uses_in(const std::filesystem::path& folder, const std::set<std::string>& files)
{
    std::vector<Use> uses;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".h")
            continue;
        const std::vector<Token> tokens = tokens_of(test::text_of(entry.path()));
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const std::string& text = tokens[i].text;
            const std::size_t dot = text.find('.');
            if (tokens[i].kind != '"' || dot == std::string::npos || !files.contains(text.substr(0, dot)) ||
                text.ends_with(".json") || text.ends_with(".html") ||
                text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") != std::string::npos)
                continue;
            Use use = use_at(tokens, i);
            use.place = entry.path().string() + ':' + std::to_string(tokens[i].line);
            uses.push_back(std::move(use));
        }
    }
    return uses;
}

TEST(Texts, FitTheirUses)
{
    const viz::Templates& all = shipped_templates();
    std::set<std::string> files, unused;
    for (const std::string_view id : all.ids()) {
        files.emplace(id.substr(0, id.find('.')));
        unused.emplace(id);
    }
    for (const char* folder : {"viz", "app"})
        for (const Use& use : uses_in(test::source_tree() / folder, files)) {
            unused.erase(use.id);
            EXPECT_TRUE(use.literal) << use.place << ": write the arguments of " << use.id << " where its id stands";
            const auto ids = all.ids();
            EXPECT_NE(std::ranges::find(ids, use.id), ids.end())
                << use.place << ": no section \"## " << use.id << "\" in assets/text";
            EXPECT_EQ(use.arguments, all.arguments(use.id)) << use.place << ": " << use.id;
        }
    for (const std::string& id : unused)
        ADD_FAILURE() << "assets/text: nobody uses " << id;
}

} // namespace
