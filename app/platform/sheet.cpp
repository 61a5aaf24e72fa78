#include "app/platform/sheet.h"

#include "app/panels/navigation.h"
#include "app/panels/shell.h"
#include "app/pictures/svg.h"
#include "app/platform/export.h"
#include "app/platform/gui.h"
#include "app/platform/offscreen.h"
#include "app/platform/screenshot.h"

#include "viz/text/templates.h"

#include "recording/disk.h"

#include <fmt/format.h>

#include <string_view>

namespace app {

namespace {

constexpr std::string_view style_of_sheet = R"(
body{margin:2rem auto;max-width:48rem;padding:0 1rem;font:15px/1.5 Inter,Helvetica,Arial,sans-serif;color:#1b2028}
h1{line-height:1.2}.made,.level{color:#515b68}section{break-inside:avoid;margin-top:2rem}
h2{font-size:1.05rem;margin-bottom:.3rem}p{margin:.4rem 0;white-space:pre-line}ol{list-style:upper-alpha;margin:.4rem 0}
li{padding:.1rem 0}li.right{font-weight:bold}figure{margin:.6rem 0}figure svg{display:block;width:100%;height:auto;border:1px solid #cdd3db}
.name{display:flex;gap:2rem}.name span{flex:1;border-bottom:1px solid #515b68;padding-top:1rem}
@media print{body{margin:0;max-width:none;font-size:10pt}@page{margin:15mm}}
)";

constexpr int sheet_width = 1000, sheet_height = 560; // size of a picture

// Draws what the window shows for one question after another.
class QuestionPictures {
public:
    explicit QuestionPictures(const Patch& first)
        : gui_(offscreen_.window()), shell_(options_for(first), Settings(), [] {}), drawings_(sheet_width, sheet_height)
    {
        settle(shell_);
        drawings_.begin(shell_);
    }

    // `hides` omits headlines, because they would reveal the answer.
    std::string picture(const Patch& place, bool hides)
    {
        navigate(shell_.session(), shell_.state(), place);
        settle(shell_);
        return drawings_.draw(shell_, hides);
    }

    std::string fonts() const { return drawings_.fonts(); }

private:
    static WindowOptions options_for(const Patch& place)
    {
        WindowOptions options;
        options.show = place;
        options.source = WindowOptions::Source::words;
        return options;
    }

    Offscreen offscreen_;
    Gui gui_; // the shell needs a context
    Shell shell_;
    PageDrawings drawings_;
};

char letter(std::size_t choice)
{
    return static_cast<char>('A' + choice);
}

std::string question_html(const QuizQuestion& question, std::size_t number, bool answers, std::string_view picture)
{
    std::string text = fmt::format("<section><h2>{}. <span class=\"level\">{} · {}</span></h2>\n<p>{}</p>\n", number,
                                   escaped(question.topic), name_of(question.level), escaped(viz::plain(question.ask)));
    if (!picture.empty())
        text += fmt::format("<figure>{}</figure>\n", picture);
    text += "<ol>\n";
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        text += fmt::format("<li{}>{}</li>\n", answers && i == question.answer ? " class=\"right\"" : "",
                            escaped(viz::plain(question.choices[i].label)));
    text += "</ol>\n";
    if (answers)
        text += fmt::format("<p><b>{}</b>. {}</p>\n<p class=\"made\">{}</p>\n", letter(question.answer),
                            escaped(viz::plain(question.choices[question.answer].explains)),
                            escaped(command_of(question.shown)));
    return text + "</section>\n";
}

} // namespace

std::string sheet_page(const std::vector<QuizQuestion>& quiz, const SheetOptions& options,
                       const std::vector<std::string>& pictures, const std::string& fonts)
{
    std::string page = fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>"
                                   "<style>{}{}</style></head><body>\n<h1>{}{}</h1>\n",
                                   escaped(options.title), style_of_sheet, fonts, escaped(options.title),
                                   options.answers ? ": answers" : "");
    if (!options.answers)
        page += "<p class=\"name\"><span>Name</span><span>Date</span></p>\n";
    for (std::size_t i = 0; i < quiz.size(); ++i)
        page += question_html(quiz[i], i + 1, options.answers,
                              i < pictures.size() ? std::string_view(pictures[i]) : std::string_view());
    return page + fmt::format("<p class=\"made\">Made by {}</p>\n</body></html>\n", escaped(options.command));
}

void write_sheet(const std::vector<QuizQuestion>& quiz, const SheetOptions& options,
                 const std::filesystem::path& output)
{
    std::vector<std::string> pictures;
    std::string fonts;
    if (options.pictures && !quiz.empty()) {
        QuestionPictures draws(quiz.front().shown);
        for (const QuizQuestion& question : quiz)
            pictures.push_back(options.answers             ? draws.picture(question.shown, false)
                               : question.covers_picture() ? std::string()
                                                           : draws.picture(question.asked, true));
        fonts = draws.fonts();
    }
    recording::write_atomically(output, sheet_page(quiz, options, pictures, fonts));
}

} // namespace app
