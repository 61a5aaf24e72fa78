// The sentence about two rungs: what one bought over the other.
#include "viz/analysis/comparison.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr double same_speed = 0.02; // within this, neither is called faster: figures move that much from run to run
constexpr double worth_naming = 0.05;
constexpr std::size_t most_named = 2; // the bars below show them all

struct Moved {
    Measure measure = Measure::conflicts;
    double from = 0, to = 0;
    double size() const // of the change, alike for halves and doubles; what appears or vanishes comes first
    {
        return from == 0 || to == 0 ? 1e9 + std::abs(to - from) : std::abs(std::log(to / from));
    }
};

// Costs that changed in one direction, the largest change first.
std::vector<Moved> moved(const ComparedRung& first, const ComparedRung& second, bool up)
{
    std::vector<Moved> list;
    for (std::size_t i = 0; i < measure_count; ++i) {
        const auto measure = static_cast<Measure>(i);
        const auto from = second.figures[measure], to = first.figures[measure];
        if (!info(measure).cost || !from || !to || (*to > *from) != up)
            continue;
        if (std::abs(*to - *from) > worth_naming * std::max(*from, *to))
            list.push_back({measure, *from, *to});
    }
    std::stable_sort(list.begin(), list.end(), [](const Moved& a, const Moved& b) { return a.size() > b.size(); });
    list.resize(std::min(list.size(), most_named));
    return list;
}

class Sentence {
public:
    Sentence& say(std::string text)
    {
        words.push_back({std::move(text), false});
        return *this;
    }
    Sentence& figure(std::string text)
    {
        words.push_back({std::move(text), true});
        return *this;
    }
    // "bank conflicts from 4.15 to 0, shared wavefronts from 10.5 to 6.35 (-40%)"
    Sentence& list(const std::vector<Moved>& all)
    {
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Moved& one = all[i];
            say(fmt::format("{}{} from ", i == 0 ? "" : i + 1 == all.size() ? " and " : ", ", info(one.measure).unit));
            figure(number(one.from)).say(" to ").figure(number(one.to));
            if (one.from != 0 && one.to != 0)
                say(fmt::format(" ({})", change(one.from, one.to)));
        }
        return *this;
    }
    static std::string number(double value) { return value == 0 ? "0" : thousands(value); }

    std::vector<Words> words;
};

void say_speed(Sentence& sentence, const ComparedRung& rung, const char* verb, const char* unit)
{
    sentence.say(rung.slug + verb).figure(thousands(*rung.speed.gflops)).say(unit);
    if (rung.speed.of_cublas)
        sentence.say(fmt::format(" ({:.0f} % of cuBLAS)", *rung.speed.of_cublas * 100));
}

void say_speeds(Sentence& sentence, const ComparedRung& first, const ComparedRung& second)
{
    say_speed(sentence, first, " reaches ", " GFLOPS");
    sentence.say(", ");
    say_speed(sentence, second, " ", "");
    const double ratio = *first.speed.gflops / *second.speed.gflops;
    sentence.say(": ");
    if (std::abs(ratio - 1) <= same_speed)
        sentence.figure("as fast");
    else if (ratio > 1)
        sentence.figure(fmt::format("{:.2f} times as fast", ratio));
    else
        sentence.figure(fmt::format("{:.0f} % slower", (1 - ratio) * 100));
    sentence.say(fmt::format(" ({}). ", first.speed.origin));
}

void say_apart(Sentence& sentence, const ComparedRung& first, const ComparedRung& second)
{
    const auto what = [](const ComparedRung& rung) {
        switch (computes(rung.recording)) {
        case Computes::products: return " multiplies matrices";
        case Computes::sums: return " adds vectors";
        case Computes::neither: break;
        }
        return " reads no A and B";
    };
    sentence.say("They compute different things: " + first.slug + what(first) + ", " + second.slug + what(second));
    sentence.say(". So neither their speeds nor what they do per multiplication is compared. ");
    for (const ComparedRung* rung : {&first, &second})
        if (rung->speed.gflops) {
            say_speed(sentence, *rung, " reaches ", " GFLOPS");
            sentence.say(fmt::format(" ({}). ", rung->speed.origin));
        }
}

constexpr const char* elsewhere = "the reason lies in what they do not say, in the order of the steps or in what the "
                                  "compiler makes of them. ";

void say_costs(Sentence& sentence, const ComparedRung& first, const ComparedRung& second, int faster)
{
    const std::vector<Moved> fell = moved(first, second, false), grew = moved(first, second, true);
    const std::string unit = "per 1,000 multiplications: ";
    if (fell.empty() && grew.empty()) {
        sentence.say("Per multiplication, none of the counted figures changed by more than 5 %");
        sentence.say(faster == 0 ? ". " : std::string(": ") + elsewhere);
        return;
    }
    if (!fell.empty()) {
        sentence.say("What fell, " + unit).list(fell).say(". ");
        if (faster < 0)
            sentence.say("Yet it is slower. ");
    }
    if (!grew.empty()) {
        const char* words = fell.empty() ? "What grew, " : faster < 0 ? "What grew instead: " : "What grew: ";
        sentence.say(words + (fell.empty() ? unit : "")).list(grew).say(". ");
    } else if (faster < 0) {
        sentence.say(std::string("No counted figure grew: ") + elsewhere);
    }
}

void say_occupancy(Sentence& sentence, const ComparedRung& first, const ComparedRung& second, int faster)
{
    const auto from = second.figures[Measure::occupancy], to = first.figures[Measure::occupancy];
    if (!from || !to || *from == *to || faster == 0)
        return;
    if ((*to > *from) == (faster > 0)) {
        sentence.say(*to > *from ? "Occupancy rose from " : "Occupancy fell from ");
        sentence.figure(percent(*from)).say(" to ").figure(percent(*to)).say(". ");
        return;
    }
    sentence.say(*to < *from ? "Occupancy fell from " : "Occupancy rose from ");
    sentence.figure(percent(*from)).say(" to ").figure(percent(*to));
    sentence.say(*to < *from ? ", and it is faster all the same: occupancy is not speed"
                             : ", and it is slower all the same: occupancy is not speed");
    const auto before = second.figures[Measure::results_per_thread], now = first.figures[Measure::results_per_thread];
    if (*to < *from && before && now && *now > *before)
        sentence.say("; each thread now keeps ")
            .figure(fmt::format("{:.0f}", *now))
            .say(" results in registers instead of ")
            .figure(fmt::format("{:.0f}", *before));
    sentence.say(". ");
}

} // namespace

std::vector<Words> what_it_bought(const ComparedRung& first, const ComparedRung& second)
{
    Sentence sentence;
    if (computes(first.recording) != computes(second.recording)) {
        say_apart(sentence, first, second);
        return sentence.words;
    }
    int faster = 0;
    if (first.speed.gflops && second.speed.gflops && first.speed.here == second.speed.here) {
        say_speeds(sentence, first, second);
        const double ratio = *first.speed.gflops / *second.speed.gflops;
        faster = ratio > 1 + same_speed ? 1 : ratio < 1 - same_speed ? -1 : 0;
    } else if (first.speed.gflops && second.speed.gflops) {
        sentence.say(
            fmt::format("Their speeds are not from one place, so they are not compared: {} for {}, {} for {}. ",
                        first.speed.origin, first.slug, second.speed.origin, second.slug));
    } else {
        const ComparedRung& unknown = first.speed.gflops ? second : first;
        sentence.say(fmt::format("How fast {} is, is not known: {}. ", unknown.slug, unknown.speed.origin));
    }
    if (computes(first.recording) == Computes::products)
        say_costs(sentence, first, second, faster);
    say_occupancy(sentence, first, second, faster);
    return sentence.words;
}

} // namespace viz
