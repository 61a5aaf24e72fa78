// Reads the shipped claims. Invalid claims are refused with a reason.
#include "app/data/claims.h"
#include "tests/ladder.h"
#include "tests/paths.h"
#include "tests/says.h"

#include "error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <fstream>
#include <set>

namespace {

using nlohmann::json;
using test::says;

json file()
{
    std::ifstream stream(test::source_tree() / "assets/claims/claims.json");
    return json::parse(stream);
}

TEST(Claims, AreAllThere)
{
    const app::Claims claims = app::shipped_claims(test::ladder());
    const json rows = file().at("claims");
    ASSERT_EQ(claims.all.size(), rows.size());
    const auto number = [](const json& row, const char* name) {
        return row.contains(name) ? std::optional(row.at(name).get<double>()) : std::nullopt;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const app::Claim& claim = claims.all[i];
        const std::string words[] = {claim.id,      claim.source, claim.kernel,  claim.stage,
                                     claim.against, claim.said,   claim.missing, claim.why};
        const char* const names[] = {"id", "source", "kernel", "stage", "against", "said", "missing", "why"};
        for (std::size_t word = 0; word < std::size(words); ++word)
            EXPECT_EQ(words[word], rows[i].value(names[word], "")) << claim.id << " " << names[word];
        EXPECT_EQ(claim.gflops, number(rows[i], "gflops")) << claim.id;
        EXPECT_EQ(claim.of_cublas, number(rows[i], "of_cublas")) << claim.id;
        EXPECT_EQ(claim.ran_gflops, number(rows[i], "ran_gflops")) << claim.id;
        EXPECT_EQ(claim.ran_share, number(rows[i], "ran_share")) << claim.id;
        EXPECT_EQ(claim.ran_wrong, rows[i].value("ran_wrong", false)) << claim.id;
        if (rows[i].contains("measure")) {
            EXPECT_EQ(name(claim.measure), rows[i].at("measure").get<std::string>()) << claim.id;
        }
        if (const auto amount = rows[i].contains("times") ? number(rows[i], "times") : number(rows[i], "bytes")) {
            EXPECT_EQ(claim.amount, amount) << claim.id;
        }
    }
    EXPECT_EQ(claims.sources.size(), 5u);
}

// The program of this source was run on an H200, so each of its kernels has a measured speed or is marked as wrong.
TEST(Claims, HaveEveryKernelOfThePublicLadder)
{
    const app::Claims claims = app::shipped_claims(test::ladder());
    std::set<std::string> kernels;
    for (const app::Claim& claim : claims.all)
        if (claim.source == "sgemm_cuda") {
            kernels.insert(claim.kernel);
            EXPECT_TRUE(claim.ran_gflops || claim.ran_wrong) << claim.id;
        }
    EXPECT_EQ(kernels.size(), 12u);
}

// Figures are computed where a claim is shown, so the text of a reason contains none.
TEST(Claims, GiveReasonsWithoutFigures)
{
    for (const app::Claim& claim : app::shipped_claims(test::ladder()).all)
        for (std::size_t i = 0; i < claim.why.size(); ++i) {
            const bool digit = std::isdigit(static_cast<unsigned char>(claim.why[i])) != 0;
            const bool in_name = i > 0 && std::isalnum(static_cast<unsigned char>(claim.why[i - 1])) != 0;
            EXPECT_FALSE(digit && !in_name) << claim.id << ": " << claim.why;
        }
}

TEST(Claims, WhatIsBrokenIsRefused)
{
    struct Broken {
        const char* field;
        json value;
        const char* said;
    };
    const Broken all[] = {{"stage", "no_such_stage", "no_such_stage"},
                          {"against", "no_such_stage", "no_such_stage"},
                          {"source", "nobody", "no source"},
                          {"id", "sgemm_cuda_1", "twice"},
                          {"gflops", nullptr, "neither a figure nor a reason"},
                          {"gflops", -1, "gflops"},
                          {"missing", "not known", "or both"},
                          {"measure", "beauty", "beauty"},
                          {"order", "sideways", "sideways"}};
    for (const Broken& broken : all) {
        json changed = file();
        changed.at("claims").at(1)[broken.field] = broken.value;
        EXPECT_TRUE(says(test::refusal([&] { app::claims_from(changed, test::ladder()); }), broken.said))
            << broken.field;
    }
}

} // namespace
