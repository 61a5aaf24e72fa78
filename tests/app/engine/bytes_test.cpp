// Every task and every result is read back from its bytes without a change.
#include "app/engine/bytes.h"
#include "app/engine/cbor.h"
#include "tests/kernels/recording/sample_recording.h"

#include "recording/file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace {

const app::StageJob job{"vectorized", {{"BM", 128}, {"TM", 8}}, {.M = 3, .N = 5, .K = 7, .alpha = 0.5f, .beta = -1}};
const kernels::Timing timing{1.5, 1.25, 1.75, 9};

// Reads the value back from its bytes, and checks that the result has the same bytes again.
template <class Value>
Value again(const Value& value)
{
    const std::vector<std::byte> bytes = app::to_bytes(value);
    Value back = app::from_bytes<Value>(bytes);
    EXPECT_EQ(back.index(), value.index());
    EXPECT_EQ(app::to_bytes(back), bytes);
    return back;
}

template <class T>
T task(const T& one)
{
    return std::get<T>(again(app::Task(one)));
}

template <class T>
T result(const T& one)
{
    return std::get<T>(again(app::Result(one)));
}

// A file has some members of such a row as columns or by the names of the ladder. The stream has all of them.
TEST(Bytes, OfWhatWasCountedElsewhere)
{
    app::CountedRow row{.slug = "s", .parameters = {7, 8}, .problem = job.problem, .readings = 3, .date = "2026-11-27"};
    row.counters.sums["m"] = 5;
    row.each = {{{1, 16, 2, 3, 4}, "LDS", 7}};
    row.instruction_readings = 2;
    row.run = std::make_shared<const recording::RunProfile>(
        recording::RunProfile{.instructions = {{0, 16, "LDS", 7, 2}}, .source = 9});
    const auto recording = std::make_shared<const recording::Recording>(sample::recording());
    const app::CountTask back = task(app::CountTask{
        job,
        recording,
        true,
        true,
        {row, {.shipped = true, .device = "g", .problem = job.problem}, {{recording::Missing::other_launch, {"m"}}}}});
    EXPECT_EQ(back.recording->stage, recording->stage);
    EXPECT_EQ(back.shipped.from.device, "g");
    ASSERT_TRUE(back.shipped.row);
    const app::CountedRow& read = *back.shipped.row;
    EXPECT_EQ(std::tie(read.slug, read.parameters, read.problem, read.readings, read.date, read.instruction_readings),
              std::tie(row.slug, row.parameters, row.problem, row.readings, row.date, row.instruction_readings));
    EXPECT_EQ(read.counters.sums, row.counters.sums);
    ASSERT_EQ(read.each.size(), 1u);
    EXPECT_EQ(read.each[0].name, "LDS");
    EXPECT_EQ(read.each[0].line, 7u);
    EXPECT_EQ(std::tie(read.each[0].count.kernel, read.each[0].count.address, read.each[0].count.executed,
                       read.each[0].count.shared_wavefronts, read.each[0].count.global_sectors),
              std::tuple(1u, 16u, 2u, 3u, 4u));
    ASSERT_NE(read.run, nullptr);
    EXPECT_EQ(read.run->instructions, row.run->instructions);
    EXPECT_EQ(read.run->source, 9u);
}

TEST(Bytes, OfTasks)
{
    const auto recording = std::make_shared<const recording::Recording>(sample::recording());
    EXPECT_EQ(task(app::RecordTask{job, {{1, 2, 3}}, false}), (app::RecordTask{job, {{1, 2, 3}}, false}));
    EXPECT_EQ(task(app::VerifyTask{job, {{2, 3}}, kernels::ProbeKind::record}).probe, kernels::ProbeKind::record);
    EXPECT_EQ(task(app::MeasureTask{job, 0.5}).seconds, 0.5);
    EXPECT_EQ(task(app::BaselineTask{"cublas_sgemm", job.problem, 0.5, true}).problem, job.problem);
    EXPECT_EQ(task(app::TuneTask{job, {"BM"}, {0.1, 0.2}}).fixed, (std::vector<std::string>{"BM"}));
    EXPECT_EQ(task(app::CountTask{job, nullptr}).recording, nullptr);
    EXPECT_EQ(task(app::ExamineTask{recording, 90, job}).job, job);
    task(app::ProbeTask{});
    EXPECT_EQ(task(app::OpenTask{"/a/file.gscope", "naive"}).path, "/a/file.gscope");
    EXPECT_EQ(task(app::PrepareTask{{job, job}, true}).jobs.size(), 2u);
    const app::Winner winner{"a GPU", "autotuned", "1x1x1", {{"BM", 64}}, 3.5, "2026-11-22"};
    task(app::SaveTask{"/f", recording});
    const auto saved = task(app::SaveTask{"/f", app::FoundWinner{winner, false}});
    EXPECT_EQ(std::get<app::FoundWinner>(saved.what).winner.parameters, winner.parameters);
    model::PatternRow row{.line = 3, .op = "ld.shared"};
    row.pattern.offset[31] = 124;
    row.measured = model::TwoFigures{2, 1};
    row.times = model::PatternTimes{.latency = 25, .between = 2};
    EXPECT_EQ(task(app::MeasurePatternsTask{{row}, true}), (app::MeasurePatternsTask{{row}, true}));
    const traced::Request request{
        .file = "/a.cu", .kernel = "k<3>", .cluster = "2", .alpha = 2.0f, .most_steps = 7, .blocks = {{1, 0, 0}}};
    EXPECT_EQ(task(app::TraceTask{request}).request, request);
    EXPECT_EQ(task(app::WarpsTask{job, {.sm = 5, .resident = 8}}), (app::WarpsTask{job, {.sm = 5, .resident = 8}}));
    task(app::SaveTask{"/f", app::GpuFacts{{.name = "a GPU", .sm_count = 132},
                                           recording::GpuMeasurement{.conflict_latency = {{2, 15, 31}},
                                                                     .streaming = {{8, 16, 3000}},
                                                                     .chains = {{4096, 4, 20, 40}}}}});
}

TEST(Bytes, OfResults)
{
    const auto recorded = result(app::RecordResult{app::derive(sample::recording()), 12.5});
    EXPECT_TRUE(recording::differences(*recorded.recorded.recording, sample::recording()).empty());
    EXPECT_EQ(recorded.milliseconds, 12.5);
    result(app::OpenResult{app::derive(sample::recording())});
    const auto traced =
        result(app::TraceResult{app::derive(sample::recording()), traced::Check{true, 1e-6, 1e-5}, {"w"}, 1, 2, 3});
    EXPECT_EQ(traced.check->tolerance, 1e-5);
    EXPECT_EQ(traced.steps, 3u);
    result(app::MeasurePatternsResult{{model::PatternRow{.line = 3, .op = "ld.shared"}}, "no counters"});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto verified = result(app::VerifyResult{{.ok = false, .error = nan, .total_error = 1, .tolerance = 2}});
    EXPECT_TRUE(std::isnan(verified.worst.error));
    const app::MeasureResult measured{{timing, timing, timing, 1e-6, 2e-6, "none"}, true, {1.0, 0.5, 0.4, {}, 2.0}};
    EXPECT_EQ(result(measured).speed.of_cublas, 0.5);
    EXPECT_FALSE(result(measured).speed.of_peak);
    result(app::BaselineResult{kernels::BaselineResult{.timing = timing, .gflops = 4}, "", {{.name = "k"}}, "why"});
    const kernels::Candidate candidate{.parameters = {1, 2},
                                       .state = kernels::Candidate::State::right,
                                       .timing = timing,
                                       .gflops = 3,
                                       .of_cublas = 0.25};
    EXPECT_EQ(result(app::TuneResult{{candidate}, 1, 2, true, "e"}).ranked[0].of_cublas, 0.25);
    result(app::ProbeResult{{.name = "g", .latency = {{1, 2, 3}}, .group_of_sm = {1, 2}}, {{"step", "why"}}, false});
    result(app::SaveResult{true, "n"});
    result(app::PrepareResult{3});
    const recording::WarpTimes times{
        .stage = "naive",
        .sm = 7,
        .probed = {.blocks_per_sm = 4},
        .plain_ms = 0.5,
        .probed_ms = 0.75,
        .warps = {{.slot = 9,
                   .end = uint64_t{1} << 40,
                   .steps = {{recording::Op::shared_store, 3, 70, uint64_t{1} << 39, 12}}}}};
    EXPECT_EQ(result(app::WarpsResult{times}).times, times);
}

TEST(Bytes, OfWhatWasCountedAndExamined)
{
    app::CountedLaunch launch;
    launch.counters = kernels::Counters{.sums = {{"a.sum", kernels::largest_count}},
                                        .percents = {{"a.pct", 62.5}},
                                        .device = {.name = "g"},
                                        .passes = 3};
    launch.check.figures = {{"shared_load", "wavefronts", 1, 2, 3, kernels::Agreement::arbitration}};
    launch.copy_wavefronts = 5;
    app::CountedInstructions instructions;
    instructions.counters = kernels::InstructionCounters{{{1, 16, 2, 3, 4}}, {.name = "g"}};
    instructions.accesses = {{.kernel = 1, .line = 7, .name = "LDS.128", .derived = {{1, 2, 3}}, .counted = {1, 2, 3}}};
    instructions.run =
        std::make_shared<const recording::RunProfile>(
            recording::RunProfile{
                .instructions = {{1, 16, "LDS.128", 7, 2}},
                .samples =
                    recording::WarpSamples{
                        .states = {"wait"}, .samples = {{1, 16, 0, 5}}, .cycles = 32, .taken = 6, .dropped = 1},
                .source = 9});
    instructions.not_sampled = "n";
    kernels::MachineCode code{90, "NVRTC", "none", {{"k", {{.address = 16, .name = "LDS"}}, {"a", "b"}, {0, 7}}}};
    const auto counted = result(app::CountResult{launch, instructions, code});
    EXPECT_EQ(counted.launch->counters->sums.at("a.sum"), kernels::largest_count);
    EXPECT_EQ(counted.launch->check.figures[0].figure, "wavefronts");
    EXPECT_TRUE(counted.instructions->accesses[0].agrees());
    ASSERT_NE(counted.instructions->run, nullptr);
    EXPECT_EQ(counted.instructions->run->instructions, instructions.run->instructions);
    EXPECT_EQ(counted.instructions->run->samples->kept(), 5u);
    EXPECT_EQ(counted.instructions->run->samples->dropped, 1u);
    EXPECT_EQ(counted.instructions->not_sampled, "n");
    recording::RunProfile damaged = *instructions.run;
    damaged.samples->samples[0].state = 1; // beyond the list of states
    instructions.run = std::make_shared<const recording::RunProfile>(std::move(damaged));
    EXPECT_THROW(result(app::CountResult{launch, instructions, code}), kernels::Error);
    instructions.run = nullptr;
    EXPECT_EQ(result(app::CountResult{launch, instructions, code}).instructions->run, nullptr);
    EXPECT_EQ(counted.code.kernels[0].ptx_to_source[1], 7u);
    app::ExamineResult examined{
        code, {}, recording::Totals{{1, 2, 3}, {}, {}, {4, 5}}, "o", {{recording::Missing::failed, {"m"}}}};
    examined.lines = {{.line = 3, .instructions = {{.line = 3, .name = "LDG"}}, .why = "w"}};
    EXPECT_EQ(result(examined).executed->global_store.sectors, 5u);
    EXPECT_EQ(result(examined).missing, examined.missing);
}

TEST(Bytes, OfProgressAndFailures)
{
    EXPECT_EQ(app::from_bytes<app::Progress>(app::to_bytes(app::Progress{1, 2, "s", {}})).step, "s");
    const app::Failure failure{app::Failure::Kind::unavailable, "why"};
    EXPECT_EQ(app::from_bytes<app::Failure>(app::to_bytes(failure)).kind, failure.kind);
}

TEST(Bytes, OthersAreRefusedInASentence)
{
    const std::vector<std::byte> good = app::to_bytes(app::Task(app::MeasureTask{job, 0.5}));
    for (std::size_t length = 0; length < good.size(); ++length)
        EXPECT_THROW(app::from_bytes<app::Task>(std::span(good).first(length)), kernels::Error);
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const int flip : {1, 128, 255}) {
            std::vector<std::byte> bad = good;
            bad[at] ^= static_cast<std::byte>(flip);
            try {
                app::from_bytes<app::Task>(bad); // may be a different task
            } catch (const kernels::Error&) {
            }
        }
    EXPECT_THROW(app::from_bytes<app::Result>(app::to_bytes(app::Task(app::OpenTask{"f", ""}))), kernels::Error);
}

std::vector<std::byte> bytes(std::initializer_list<int> values)
{
    std::vector<std::byte> result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

// Deeply nested CBOR: a recursive reader would need a stack as deep as the nesting.
TEST(Bytes, WhatIsNestedDeeplyIsRefusedWhileItIsRead)
{
    for (const int opened : {0x81, 0x9f, 0x5f, 0x7f, 0xa1, 0xbf, 0xc1, 0xd8}) {
        std::vector<std::byte> deep = bytes({0x82, app::bytes_version});
        deep.insert(deep.end(), 1'000'000, static_cast<std::byte>(opened));
        EXPECT_THROW(app::from_bytes<app::Task>(deep), kernels::Error) << opened;
        EXPECT_THROW(app::from_bytes<app::MachineFacts>(deep), kernels::Error) << opened;
        EXPECT_THROW(app::from_bytes<app::Result>(std::span(deep).subspan(2)), kernels::Error) << opened;
    }
}

// A task with a long list of empty strings, each of which takes one byte in the stream and 32 bytes in memory.
TEST(Bytes, ValuesAreCountedWhileTheyAreRead)
{
    const app::Task task = app::ListProgramTask{std::vector<std::string>(1000)};
    EXPECT_EQ(std::get<app::ListProgramTask>(again(task)).command.size(), 1000u);
    std::vector<std::byte> many = bytes({0x82, app::bytes_version, 0x82, static_cast<int>(task.index()), 0x81});
    const std::size_t words = app::most_values + 1;
    for (const unsigned part : {0x9au, static_cast<unsigned>(words >> 24), static_cast<unsigned>(words >> 16 & 255),
                                static_cast<unsigned>(words >> 8 & 255), static_cast<unsigned>(words & 255)})
        many.push_back(static_cast<std::byte>(part));
    many.insert(many.end(), words, std::byte{0x60});
    EXPECT_THROW(app::from_bytes<app::Task>(many), kernels::Error);
    EXPECT_THROW(app::to_bytes(app::Task(app::ListProgramTask{std::vector<std::string>(words)})), kernels::Error);
    // A list that announces more values than follow: no memory is allocated for them in advance.
    many.resize(10);
    for (std::size_t i = 6; i < 10; ++i)
        many[i] = std::byte{255};
    EXPECT_THROW(app::from_bytes<app::Task>(many), kernels::Error);
}

// The limits in fields() hold for the stream as they do for files.
TEST(Bytes, FiguresAreHeldAgainstTheLimitsOfTheirFields)
{
    const auto with_speed = [](double gflops) {
        const app::Winner winner{"a GPU", "autotuned", "1x1x1", {{"BM", 64}}, gflops, "2026-11-22"};
        return app::to_bytes(app::Task(app::SaveTask{"/f", app::FoundWinner{winner, false}}));
    };
    EXPECT_NO_THROW(app::from_bytes<app::Task>(with_speed(3.5)));
    for (const double wrong : {0.0, -3.5, std::numeric_limits<double>::infinity(), std::nan("")})
        EXPECT_THROW(app::from_bytes<app::Task>(with_speed(wrong)), kernels::Error) << wrong;
}

// Enumeration values are used as indices of tables, so invalid ones must be refused.
TEST(Bytes, EnumerationsHaveOnlyTheirValues)
{
    app::WarpsResult watched;
    watched.times = {.stage = "naive", .plain_ms = 1, .probed_ms = 1, .warps = {{.steps = {{}}}}};
    recording::TimedStep& step = watched.times.warps[0].steps[0];
    step.op = static_cast<recording::Op>(recording::op_count - 1);
    EXPECT_NO_THROW(app::from_bytes<app::Result>(app::to_bytes(app::Result(watched))));
    step.op = static_cast<recording::Op>(recording::op_count);
    EXPECT_THROW(app::from_bytes<app::Result>(app::to_bytes(app::Result(watched))), kernels::Error);
    step.op = {};
    watched.times.warps[0].slot = 64;
    EXPECT_THROW(app::from_bytes<app::Result>(app::to_bytes(app::Result(watched))), kernels::Error)
        << "the SM has no such slot";
}

TEST(Bytes, NothingMayFollow)
{
    std::vector<std::byte> longer = app::to_bytes(app::Failure{});
    longer.push_back({});
    EXPECT_THROW(app::from_bytes<app::Failure>(longer), kernels::Error);
}

} // namespace
