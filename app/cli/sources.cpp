#include "app/catalogue/recordings.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/session/claim_table.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace app {

namespace {

// The figures of a claim in the words of the window; rows are the claims of one source.
Table table_of(const std::vector<const ClaimRow*>& rows)
{
    Table table("claims", "kernel=:< | stage:< | against:< | claimed | theirs_here | ours | verdict=:<");
    for (const ClaimRow* const row : rows) {
        const Claim& claim = *row->claim;
        table.add({claim.kernel, claim.stage, claim.against, claimed_words(*row),
                   claim.ran_wrong ? "wrong" : figure_words(claim, row->theirs_here),
                   figure_words(claim, row->ours.value()), viz::plain(verdict_of(*row))});
    }
    return table;
}

void print(const ClaimTable& table, Output& out)
{
    out.say("{}\n", viz::plain(heading_of(table)));
    for (std::size_t first = 0; first < table.rows.size();) {
        const ClaimSource& source = *table.rows[first].source;
        out.say("\n{}\n", viz::plain({"claims.source",
                                      {{"name", source.name}, {"known", !source.gpu.empty()}, {"gpu", source.gpu}}}));
        std::vector<const ClaimRow*> rows;
        for (; first < table.rows.size() && table.rows[first].source == &source; ++first)
            rows.push_back(&table.rows[first]);
        out.print(table_of(rows));
    }
    for (const ClaimRow& row : table.rows)
        if (!row.gflops)
            out.say("{}: {}\n", row.claim->stage, viz::plain(viz::in_a_sentence(row.gflops.missing())));
}

struct SourcesOptions {
    Form form = Form::text;
    bool page = false;
};

int show_claims(const SourcesOptions& options)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const Claims claims = shipped_claims(ladder);
    const CataloguePtr catalogue = load_catalogue(shipped_folder(), ladder);
    const ClaimTable table = claim_table(claims, *catalogue, ladder);
    if (options.page) {
        write_out("{}", claim_page(table));
        return 0;
    }
    const nlohmann::json whole = to_json(table);
    Output out(options.form);
    if (out.is_text())
        print(table, out);
    else
        out.print(table_of_members("claims", whole.at("rows")));
    out.end(whole);
    return 0;
}

} // namespace

void add_sources_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<SourcesOptions>(
        program, status, "sources", "what published ladders claim, and what a GPU gave of it here", show_claims);
    add_form(*command, options->form);
    command->add_flag("--page", options->page, "print docs/sources.md")
        ->excludes(command->get_option("--json"))
        ->excludes(command->get_option("--csv"));
}

} // namespace app
