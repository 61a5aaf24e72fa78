// Implements 'gemmscope lessons' and 'gemmscope sources': the lessons of the window and published claims.
#include "app/cli/command.h"
#include "app/data/recordings.h"
#include "app/learn/concepts.h"
#include "app/learn/facts.h"
#include "app/learn/lessons.h"
#include "app/session/claim_table.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

namespace app {

namespace {

nlohmann::json to_json(const Lesson& lesson)
{
    nlohmann::json courses = nlohmann::json::object(), steps = nlohmann::json::array();
    for (const auto& [course, place] : lesson.courses)
        courses[course] = place;
    for (const LessonStep& step : lesson.steps)
        steps.push_back({{"title", step.title}, {"show", step.place ? text_of(*step.place) : ""}});
    return {{"slug", lesson.slug},       {"title", lesson.title},   {"level", name_of(lesson.level)},
            {"minutes", lesson.minutes}, {"covers", lesson.covers}, {"needs", lesson.needs},
            {"courses", courses},        {"steps", steps}};
}

Table titles_of(const std::vector<const Lesson*>& lessons)
{
    Table table("lessons", "slug=:< | title=:< | level=:< | minutes");
    for (const Lesson* lesson : lessons)
        table.rows.push_back(to_json(*lesson));
    return table;
}

struct LessonsOptions {
    bool figures = false, concepts = false;
};

void fields(OptionList& option, LessonsOptions& options)
{
    option("--figures", options.figures, "the figures that a lesson's text may have, for those who write one");
    option("--concepts", options.concepts, "the concepts as a table: lesson, view, kinds of question");
}

int list_lessons(const LessonsOptions& options, Output& out)
{
    const Lessons& lessons = shipped_lessons();
    if (options.concepts) {
        write_out("{}", concept_table());
        return 0;
    }
    if (options.figures) {
        Table table("figures", "name=:< | meaning=:<");
        for (const FactName& figure : fact_names())
            table.add({"{" + figure.name + "}", figure.meaning});
        out.print(std::move(table));
        return 0;
    }
    for (const Course& course : lessons.courses())
        out.say("Course {}:\n{}", course.slug, text_of(titles_of(course.lessons)));
    out.say("All lessons:\n");
    std::vector<const Lesson*> all;
    for (const Lesson& lesson : lessons.all())
        all.push_back(&lesson);
    out.print(titles_of(all));
    return 0;
}

// Returns the table of one source's claims with the window's texts for the figures.
Table table_of(const std::vector<const ClaimRow*>& rows)
{
    Table table("claims", "kernel=:< | stage:< | against:< | claimed | theirs_here | ours | verdict=:<");
    for (const ClaimRow* const row : rows) {
        const Claim& claim = *row->claim;
        table.add({claim.kernel, claim.stage, claim.against, claimed_words(*row),
                   claim.ran_wrong ? "wrong" : figure_words(claim, row->theirs_here),
                   figure_words(claim, row->ours.value()), verdict_of(*row)});
    }
    return table;
}

void print(const ClaimTable& table, Output& out)
{
    out.say("{}\n", heading_of(table));
    for (std::size_t first = 0; first < table.rows.size();) {
        const ClaimSource& source = *table.rows[first].source;
        out.say("\n{}{}\n", source.name, source.gpu.empty() ? "" : " on " + source.gpu);
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
    bool page = false;
};

void fields(OptionList& option, SourcesOptions& options)
{
    option("--page", options.page, "print docs/sources.md", excludes("--json"), excludes("--csv"));
}

int show_claims(const SourcesOptions& options, Output& out)
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
    if (out.is_text())
        print(table, out);
    else
        out.print(table_of_members("claims", whole.at("rows")));
    out.end(whole);
    return 0;
}

} // namespace

const Subcommand lessons_command = {"lessons", "list the lessons and courses of the window", declare<list_lessons>};
const Subcommand sources_command = {"sources", "what published ladders claim, and what a GPU gave of it here",
                                    declare<show_claims>};

} // namespace app
