#include "app/catalogue/recordings.h"
#include "app/cli/commands.h"
#include "app/session/claim_table.h"
#include "app/text/tell.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace app {

namespace {

void print(const ClaimTable& table)
{
    write_out("{}\n", viz::plain(heading_of(table)));
    const ClaimSource* source = nullptr;
    for (const ClaimRow& row : table.rows) {
        if (row.source != source)
            write_out(
                "\n{}\n{:<46}{:<26}{:<26}{:>10}{:>14}{:>10}  \n",
                viz::plain(
                    {"claims.source",
                     {{"name", row.source->name}, {"known", !row.source->gpu.empty()}, {"gpu", row.source->gpu}}}),
                "", "stage", "against", "claimed", "theirs here", "ours");
        source = row.source;
        const Claim& claim = *row.claim;
        write_out("{:<46}{:<26}{:<26}{:>10}{:>14}{:>10}  {}\n", claim.kernel, claim.stage, claim.against,
                  claimed_words(row), claim.ran_wrong ? "wrong" : figure_words(claim, row.theirs_here),
                  figure_words(claim, row.ours.value()), viz::plain(verdict_of(row)));
    }
    for (const ClaimRow& row : table.rows)
        if (!row.gflops)
            write_out("{}: {}\n", row.claim->stage, viz::plain(viz::in_a_sentence(row.gflops.missing())));
}

int show_claims(bool json, bool page)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const Claims claims = shipped_claims(ladder);
    const CataloguePtr catalogue = load_catalogue(shipped_folder(), ladder);
    const ClaimTable table = claim_table(claims, *catalogue, ladder);
    if (page)
        write_out("{}", claim_page(table));
    else if (json)
        write_json(to_json(table));
    else
        print(table);
    return 0;
}

} // namespace

void add_sources_command(CLI::App& program, int& status)
{
    struct Wanted {
        bool json = false, page = false;
    };
    const auto wanted = std::make_shared<Wanted>();
    CLI::App* sources =
        program.add_subcommand("sources", "what published ladders claim, and what a GPU gave of it here");
    CLI::Option* json = sources->add_flag("--json", wanted->json, "print JSON");
    sources->add_flag("--page", wanted->page, "print docs/sources.md")->excludes(json);
    sources->callback([wanted, &status] { status = show_claims(wanted->json, wanted->page); });
}

} // namespace app
