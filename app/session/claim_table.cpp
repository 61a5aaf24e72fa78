#include "app/session/claim_table.h"

#include "app/data/shipped_file.h"
#include "app/session/counter_table.h"

#include "gemm/size.h"
#include "measure/counters.h"

#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/text/rich.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace app {

namespace {

using recording::Measured;
using recording::Missing;

constexpr double no_difference = 0.02, within = 0.1;

// Returns the shipped timing of the stage with its standard parameters. A stage that chooses its parameters by GPU and
// size has only a timing with the parameters it chose.
const TimedRow* timed_row(const Catalogue& catalogue, const kernels::Stage& stage, uint32_t side)
{
    const TimedRow* chosen = nullptr;
    for (const TimedRow& row : catalogue.speeds.rows) {
        if (row.slug != stage.slug || !row.gflops || !same_sides(row.problem, side))
            continue;
        if (row.parameters == stage.standard_parameters())
            return &row;
        chosen = chosen == nullptr ? &row : chosen;
    }
    return chosen;
}

struct OfStage {
    const Catalogue& catalogue;
    const kernels::Stage& stage;
    uint32_t side;

    Measured<double> timed(std::string_view id) const
    {
        const TimedRow* row = timed_row(catalogue, stage, side);
        return row == nullptr ? why_no_row(catalogue.speeds.missing) : metric(id).of(facts_of(catalogue.speeds, *row));
    }
    Measured<double> counted(std::string_view id) const
    {
        for (const CountedRow& row : catalogue.counters.rows) {
            if (row.slug == stage.slug && same_sides(row.problem, side) &&
                row.parameters == stage.standard_parameters())
                return metric(id).of(facts_of(catalogue.counters, row));
        }
        return why_no_row(catalogue.counters.missing);
    }
    Measured<double> figure(ClaimMeasure measure) const
    {
        switch (measure) {
        case ClaimMeasure::speed: return timed("gflops");
        case ClaimMeasure::cublas_share: return timed("of_cublas");
        case ClaimMeasure::peak_share: return timed("of_peak");
        case ClaimMeasure::dram_gbps: return counted("dram_gbps");
        case ClaimMeasure::dram_bytes: break;
        }
        return counted("dram_bytes");
    }
};

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b)
{
    return a && b ? std::optional(*a / *b) : std::nullopt;
}

// Returns the same source's claim about the stage that this claim compares with.
const Claim* base_of(const Claims& claims, const Claim& claim)
{
    for (const Claim& other : claims.all)
        if (other.source == claim.source && other.stage == claim.against && other.gflops)
            return &other;
    return nullptr;
}

Measured<double> ours_of(const Claim& claim, const OfStage& stage, const Ladder& ladder)
{
    Measured<double> own = stage.figure(claim.measure);
    if (!compares_two(claim.measure) || claim.against.empty() || !own)
        return claim.against.empty() && compares_two(claim.measure) ? Measured<double>(Missing::unknown) : own;
    const OfStage against{stage.catalogue, kernels::find_stage(ladder, claim.against), stage.side};
    const Measured<double> base = against.figure(claim.measure);
    if (!base)
        return base.missing();
    return own.with([&](double value) { return value / *base; });
}

nlohmann::json or_null_text(const std::string& text)
{
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
}

Cause cause_of(const ClaimRow& row, Agreement theirs)
{
    const bool differs = row.agreement == Agreement::opposite || row.agreement == Agreement::no_difference;
    if (!differs || theirs == Agreement::unknown)
        return Cause::not_known;
    return theirs == Agreement::agrees ? Cause::our_code : Cause::another_gpu;
}

ClaimRow row_of(const Claims& claims, const Claim& claim, const Catalogue& catalogue, const Ladder& ladder)
{
    ClaimRow row{.claim = &claim, .source = &claims.source_of(claim)};
    row.claimed = claim.amount;
    row.theirs_here = claim.ran_share;
    if (const Claim* base = base_of(claims, claim)) {
        if (!row.claimed)
            row.claimed = ratio(claim.gflops, base->gflops);
        row.theirs_here = ratio(claim.ran_gflops, base->ran_gflops);
    }
    const OfStage stage{catalogue, kernels::find_stage(ladder, claim.stage), claims.side};
    row.ours = ours_of(claim, stage, ladder);
    row.gflops = stage.figure(ClaimMeasure::speed);
    row.claimed_share = claim.of_cublas;
    row.our_share = stage.figure(ClaimMeasure::cublas_share);
    row.agreement = agreement_of(claim.measure, row.claimed, claim.order, row.ours.value());
    row.cause = cause_of(row, agreement_of(claim.measure, row.claimed, claim.order, row.theirs_here));
    return row;
}

} // namespace

std::string_view name(Agreement agreement)
{
    constexpr std::array<std::string_view, 6> names = {"unknown",  "agrees", "no difference",
                                                       "opposite", "less",   "more"};
    return names.at(static_cast<std::size_t>(agreement));
}

std::string_view name(Cause cause)
{
    constexpr std::array<std::string_view, 3> names = {"not known", "our code", "another GPU"};
    return names.at(static_cast<std::size_t>(cause));
}

std::size_t ClaimTable::count(Agreement agreement) const
{
    return static_cast<std::size_t>(std::ranges::count(rows, agreement, &ClaimRow::agreement));
}

Agreement agreement_of(ClaimMeasure measure, std::optional<double> claimed, std::optional<ClaimOrder> order,
                       std::optional<double> ours)
{
    if (!ours || (!claimed && !order))
        return Agreement::unknown;
    if (!compares_two(measure)) {
        if (!claimed)
            return Agreement::unknown;
        const double ratio = *ours / *claimed;
        return std::abs(ratio - 1) <= within ? Agreement::agrees : ratio < 1 ? Agreement::less : Agreement::more;
    }
    const auto direction = [](double times) { return std::abs(times - 1) < no_difference ? 0 : times < 1 ? -1 : 1; };
    const int expected = claimed ? direction(*claimed) : order == ClaimOrder::faster ? 1 : -1;
    const int found = direction(*ours);
    if (found == expected)
        return Agreement::agrees;
    return found == 0 || expected == 0 ? Agreement::no_difference : Agreement::opposite;
}

ClaimTable claim_table(const Claims& claims, const Catalogue& catalogue, const Ladder& ladder)
{
    ClaimTable table{.problem = {.M = claims.side, .N = claims.side, .K = claims.side},
                     .device = catalogue.speeds.from.device,
                     .rows = {}};
    for (const Claim& claim : claims.all)
        table.rows.push_back(row_of(claims, claim, catalogue, ladder));
    return table;
}

std::string figure_words(const Claim& claim, const std::optional<double>& figure)
{
    if (!figure)
        return "-";
    switch (claim.measure) {
    case ClaimMeasure::cublas_share:
    case ClaimMeasure::peak_share: return viz::percent(*figure);
    case ClaimMeasure::dram_bytes: return fmt::format("{} GB", viz::thousands(*figure * 1e-9));
    case ClaimMeasure::speed:
    case ClaimMeasure::dram_gbps: break;
    }
    return fmt::format("{} ×", viz::thousands(*figure));
}

std::string claimed_words(const ClaimRow& row)
{
    if (row.claimed)
        return figure_words(*row.claim, row.claimed);
    if (row.claim->order)
        return *row.claim->order == ClaimOrder::faster ? "faster" : "slower";
    return "-";
}

std::string heading_of(const ClaimTable& table)
{
    if (table.device.empty())
        return "No speeds of a GPU are shipped: the claims stand alone";
    return fmt::format("{} of {} claims hold on an {}", table.count(Agreement::agrees),
                       table.rows.size() - table.count(Agreement::unknown), table.device);
}

std::string_view verdict_of(const ClaimRow& row)
{
    constexpr std::array<std::string_view, 6> verdicts = {"not known",    "holds", "no difference",
                                                          "the opposite", "less",  "more"};
    return verdicts.at(static_cast<std::size_t>(row.agreement));
}

viz::Rich words_of(const ClaimRow& row)
{
    using viz::rich;
    const Claim& claim = *row.claim;
    std::vector<viz::Rich> words{rich("**{}** of {}, here `{}`{}.", claim.kernel, row.source->name, claim.stage,
                                      claim.against.empty() ? "" : " beside " + claim.against)};
    if (!claim.said.empty())
        words.push_back(rich("In its words: {}.", claim.said));
    if (!claim.missing.empty())
        words.push_back(rich("{}", claim.missing));
    if (claim.ran_wrong)
        words.push_back(rich("Its own program gives wrong results on an {}.", row.source->ran_on));
    if (claim.gflops && row.gflops)
        words.push_back(rich("**{}** GFLOPS on an {}; ours **{}**, {}.", viz::number(*claim.gflops), row.source->gpu,
                             viz::number(*row.gflops), viz::how_had(row.gflops.from())));
    if (row.claimed_share && row.our_share)
        words.push_back(rich("Of cuBLAS in the same run **{}**; ours **{}**.", viz::share(*row.claimed_share),
                             viz::share(*row.our_share)));
    if (!row.gflops)
        words.push_back(viz::in_a_sentence(row.gflops.missing()));
    if (row.cause == Cause::our_code)
        words.push_back(
            rich("Their own program does on an {} as it claims: the two kernels differ.", row.source->ran_on));
    if (row.cause == Cause::another_gpu)
        words.push_back(rich("Their own program does not do so on an {} either: the GPUs differ.", row.source->ran_on));
    words.push_back(rich("{}", claim.why));
    return viz::joined(std::move(words));
}

nlohmann::json to_json(const ClaimTable& table)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const ClaimRow& row : table.rows) {
        const Claim& claim = *row.claim;
        nlohmann::json one = {{"id", claim.id},
                              {"source", row.source->name},
                              {"gpu", or_null_text(row.source->gpu)},
                              {"kernel", claim.kernel},
                              {"stage", claim.stage},
                              {"against", or_null_text(claim.against)},
                              {"measure", name(claim.measure)},
                              {"claimed", or_null(row.claimed)},
                              {"claimed_words", claim.said.empty() ? claimed_words(row) : claim.said},
                              {"claimed_gflops", or_null(claim.gflops)},
                              {"claimed_of_cublas", or_null(row.claimed_share)},
                              {"theirs_here", or_null(row.theirs_here)},
                              {"theirs_here_wrong", claim.ran_wrong},
                              {"ours", or_null(row.ours.value())},
                              {"our_gflops", or_null(row.gflops.value())},
                              {"our_share_of_cublas", or_null(row.our_share.value())},
                              {"agreement", name(row.agreement)},
                              {"cause", name(row.cause)},
                              {"why", claim.why}};
        if (!claim.missing.empty())
            one["claim_missing"] = claim.missing;
        if (!row.gflops)
            one["ours_missing"] = viz::plain(viz::in_a_sentence(row.gflops.missing()));
        rows.push_back(std::move(one));
    }
    return {{"size", kernels::size_name(table.problem, kernels::Operation::gemm)},
            {"device", table.device},
            {"rows", rows}};
}

std::string claim_page(const ClaimTable& table)
{
    std::string page = fmt::format(
        "# Sources disagree\n\nGenerated by `gemmscope sources --page`; a test compares it. What is claimed is in "
        "`assets/claims/claims.json`, what a GPU gave in `assets/recordings`. Figures are of {}: how many times as "
        "fast as the stage in the column \"against\", or what the kernel's name says. \"Theirs, run here\": their own "
        "program on an H200. Less than a fiftieth is no difference; shares and bytes agree within a tenth.\n\n{}\n\n"
        "| source | GPU | kernel | our stage | against | claimed | theirs, run here | ours here | |\n"
        "|---|---|---|---|---|---:|---:|---:|---|\n",
        viz::size_words(table.problem), heading_of(table));
    for (const ClaimRow& row : table.rows) {
        const Claim& claim = *row.claim;
        const std::string stage = claim.against.empty() ? "" : fmt::format("`{}`", claim.against);
        page += fmt::format("| {} | {} | {} | `{}` | {} | {} | {} | {} | {} |\n", row.source->name,
                            row.source->gpu.empty() ? "-" : row.source->gpu, claim.kernel, claim.stage, stage,
                            claimed_words(row), claim.ran_wrong ? "wrong result" : figure_words(claim, row.theirs_here),
                            figure_words(claim, row.ours.value()), name(row.agreement));
    }
    page += "\n";
    for (const ClaimRow& row : table.rows)
        page += fmt::format("- **{}** ({}, `{}`). {}{}{}\n", row.claim->kernel, row.source->name, row.claim->stage,
                            row.claim->why, row.claim->missing.empty() ? "" : " ", row.claim->missing);
    return page;
}

} // namespace app
