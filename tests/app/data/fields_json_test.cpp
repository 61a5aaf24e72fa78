// Values go through their fields() to JSON and back, and what is read is checked.
#include "app/data/fields_json.h"
#include "tests/says.h"

#include <gtest/gtest.h>

#include <set>

namespace made_up {

enum class Kind : uint8_t { plain, striped };
constexpr std::array<std::string_view, 2> names_of(Kind)
{
    return {"plain", "striped"};
}

struct Stripe {
    uint32_t width = 1;
    double share = 0.5, error = 0;
    Kind kind = Kind::striped;
    std::optional<double> speed;
    std::string note;
    std::map<std::string, uint64_t> counts;
    std::set<std::string> names;
    recording::Index3 grid{1, 1, 1};
    std::vector<recording::Parameter> parameters;
    friend bool operator==(const Stripe&, const Stripe&) = default;
};
void fields(auto& visit, kernels::Like<Stripe> auto& stripe)
{
    visit("width", stripe.width, kernels::between(1u, 16u));
    visit("share", stripe.share, kernels::above_zero);
    visit("error", stripe.error, kernels::any_number);
    visit("kind", stripe.kind);
    visit("speed", stripe.speed, kernels::above_zero);
    visit("note", stripe.note, kernels::unless_empty, kernels::between(0u, 5u));
    visit("counts", stripe.counts, kernels::any_count);
    visit("names", stripe.names, kernels::may_be_missing);
    visit("grid", stripe.grid, kernels::between(1u, 9u));
    visit("parameters", stripe.parameters);
}

} // namespace made_up

namespace {

using made_up::Kind;
using made_up::Stripe;
using nlohmann::json;

const Stripe full{
    4, 0.25, -1.5, Kind::plain, 3.5, "five5", {{"sectors", 7}}, {"a", "b"}, {2, 3, 4}, {{"BK", 8}, {"BM", 64}}};

json good()
{
    return app::to_named_json(full);
}

std::string refusal(const char* name, const json& value)
{
    json changed = good();
    changed[name] = value;
    return test::refusal([&] { app::from_named_json<Stripe>(changed); });
}

TEST(FieldsJson, NamedFormHasTheNamesAndComesBack)
{
    EXPECT_EQ(good(),
              json::parse(R"({"width": 4, "share": 0.25, "error": -1.5, "kind": "plain", "speed": 3.5, "note": "five5",
        "counts": {"sectors": 7}, "names": ["a", "b"], "grid": [2, 3, 4], "parameters": {"BK": 8, "BM": 64}})"));
    EXPECT_EQ(app::from_named_json<Stripe>(good()), full);
    EXPECT_FALSE(app::to_named_json(Stripe{}).contains("note")) << "empty";
    EXPECT_TRUE(app::to_named_json(Stripe{}).at("speed").is_null());
}

TEST(FieldsJson, LimitsAreChecked)
{
    EXPECT_EQ(refusal("width", 17), "width is not a whole number from 1 to 16");
    EXPECT_EQ(refusal("width", -1), "width is not a whole number from 1 to 16");
    EXPECT_EQ(refusal("width", 1.5), "width is not a whole number from 1 to 16");
    EXPECT_EQ(refusal("width", "4"), "width is not a whole number from 1 to 16");
    EXPECT_EQ(refusal("share", 0), "share is not above zero");
    EXPECT_EQ(refusal("share", -1), "share is not a number of at least zero");
    EXPECT_EQ(refusal("speed", 0), "speed is not above zero");
    EXPECT_EQ(refusal("error", "x"), "error is not a number");
    EXPECT_EQ(refusal("kind", "dotted"), "kind is 'dotted', which is none of plain, striped");
    EXPECT_EQ(refusal("kind", 0), "kind is not a text");
    EXPECT_EQ(refusal("note", "sixsix"), "note is not a text with a number of bytes from 0 to 5");
    EXPECT_EQ(refusal("note", 5), "note is not a text");
    EXPECT_NE(refusal("counts", {{"sectors", uint64_t{1} << 54}}), "");
    EXPECT_NE(refusal("counts", {1}), "");
    EXPECT_NE(refusal("names", {1}), "");
    EXPECT_NE(refusal("names", "a"), "");
    EXPECT_NE(refusal("grid", {1, 2}), "");
    EXPECT_NE(refusal("grid", {1, 2, 0}), "");
    EXPECT_NE(refusal("parameters", {{"BK", "8"}}), "");
    EXPECT_EQ(test::refusal([] { app::from_named_json<Stripe>(json::array()); }), "it is damaged");
}

TEST(FieldsJson, OnlyWhatMayBeMissingIs)
{
    for (const char* name : {"width", "share", "error", "kind", "counts", "grid", "parameters"}) {
        json changed = good();
        changed.erase(name);
        EXPECT_EQ(test::refusal([&] { app::from_named_json<Stripe>(changed); }), std::string(name) + " is missing");
    }
    json changed = good();
    for (const char* name : {"speed", "note", "names"})
        changed.erase(name);
    const auto read = app::from_named_json<Stripe>(changed);
    EXPECT_EQ(read.speed, std::nullopt);
    EXPECT_EQ(read.note, "");
    EXPECT_EQ(read.width, 4u);
}

TEST(FieldsJson, ATolerantReaderKeepsWhatIsThereForWhatIsWrong)
{
    json changed = good();
    changed["width"] = 99;
    changed["share"] = 0.75;
    changed["names"] = {"a", 1, "c"};
    changed["counts"] = {{"x", 1}, {"y", -1}};
    changed.erase("grid");
    Stripe read;
    app::TolerantReader visit(changed);
    fields(visit, read);
    EXPECT_EQ(read.width, Stripe{}.width);
    EXPECT_EQ(read.share, 0.75);
    EXPECT_EQ(read.names, (std::set<std::string>{"a", "c"}));
    EXPECT_EQ(read.counts, (std::map<std::string, uint64_t>{{"x", 1}}));
    EXPECT_EQ(read.grid, Stripe{}.grid);
    changed["names"] = "a";
    changed["counts"] = {1, 2};
    app::TolerantReader again(changed);
    Stripe other;
    fields(again, other);
    EXPECT_TRUE(other.names.empty() && other.counts.empty()) << "values of another kind";
}

TEST(FieldsJson, AFieldOfNoStructIsCheckedAsWell)
{
    const json object = json::parse(
        R"({"good": 7, "large": 4294967296, "huge": 1e300, "larger": 99999999999999999999999, "negative": -1,
            "half": 0.5, "text": "7", "null": null, "list": [1]})");
    EXPECT_EQ(app::field_of<uint32_t>(object, "good"), 7u);
    EXPECT_EQ(app::field_of<uint64_t>(object, "large"), 4294967296u);
    EXPECT_EQ(app::field_of<int>(object, "null", kernels::may_be_missing), 0);
    EXPECT_EQ(app::field_of<int>(object, "nowhere", kernels::may_be_missing), 0);
    EXPECT_EQ(app::field_of<std::optional<double>>(object, "null", kernels::above_zero), std::nullopt);
    EXPECT_EQ(app::field_of<json>(object, "list"), json({1})) << "JSON is passed through unchanged";
    const auto refused = [&]<class T>(const char* name, T, auto... limits) {
        return test::refusal([&] { app::field_of<T>(object, name, limits...); });
    };
    for (const char* name : {"large", "huge", "larger", "negative", "half", "text"})
        EXPECT_EQ(refused(name, uint32_t{}), std::string(name) + " is not a whole number from 0 to 4294967295");
    EXPECT_EQ(refused("good", 0, kernels::between(8, 9)), "good is not a whole number from 8 to 9");
    EXPECT_EQ(refused("nowhere", 0), "nowhere is missing");
    EXPECT_EQ(refused("null", 0), "null is missing");
    EXPECT_EQ(refused("good", true), "good is neither true nor false");
    EXPECT_EQ(refused("list", std::string()), "list is not a text");
}

TEST(FieldsJson, NumbersAreFinite)
{
    const json object = {{"infinite", HUGE_VAL}, {"not", std::nan("")}, {"negative", -1e-9},
                         {"text", "1"},          {"large", 1e39},       {"zero", 0}};
    for (const char* name : {"infinite", "not", "negative", "text"})
        EXPECT_EQ(test::refusal([&] { app::field_of<double>(object, name, kernels::above_zero); }),
                  std::string(name) + " is not a number of at least zero");
    EXPECT_EQ(app::field_of<float>(object, "negative", kernels::any_number), -1e-9f);
    EXPECT_EQ(app::field_of<double>(object, "zero"), 0) << "a number without limits must be at least zero";
    EXPECT_THROW(app::field_of<double>(object, "negative"), kernels::Error);
    EXPECT_THROW(app::field_of<float>(object, "large"), kernels::Error) << "the number does not fit into a float";
}

TEST(FieldsJson, AListIsReadEntryByEntry)
{
    const json object = {{"list", {1, "two"}}, {"text", "words"}};
    EXPECT_EQ(app::list_of(object, "list").size(), 2u);
    EXPECT_EQ(test::refusal([&] { app::list_of(object, "text"); }), "text is not a list");
    EXPECT_EQ(test::refusal([&] { app::list_of(object, "nowhere"); }), "nowhere is missing");
    EXPECT_EQ(test::refusal([&] { app::list_of(json::array(), "list"); }), "list is missing");
    EXPECT_NO_THROW(app::require_format({{"format", 3}}, 3));
    EXPECT_THROW(app::require_format({{"format", 4}}, 3), kernels::Error);
}

} // namespace
