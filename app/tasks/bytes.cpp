#include "app/tasks/bytes.h"

#include "recording/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

namespace app {

namespace {

using Json = nlohmann::json;

// How many fields a struct has; 0: it is none of those below. A number that does not fit the struct does not compile.
template <class T>
inline constexpr int fields = 0;
template <>
inline constexpr int fields<recording::Index3> = 3;
template <>
inline constexpr int fields<recording::Problem> = 5;
template <>
inline constexpr int fields<recording::Launch> = 2;
template <>
inline constexpr int fields<recording::Provenance> = 6;
template <>
inline constexpr int fields<recording::Reason> = 2;
template <>
inline constexpr int fields<recording::Parameter> = 2;
template <>
inline constexpr int fields<recording::Device> = 8;
template <>
inline constexpr int fields<recording::Resources> = 4;
template <>
inline constexpr int fields<recording::SharedTotals> = 3;
template <>
inline constexpr int fields<recording::GlobalTotals> = 2;
template <>
inline constexpr int fields<recording::Totals> = 4;
template <>
inline constexpr int fields<recording::LaunchedKernel> = 5;
template <>
inline constexpr int fields<recording::GpuProperties> = 15;
template <>
inline constexpr int fields<recording::Latency> = 3;
template <>
inline constexpr int fields<recording::Bandwidth> = 2;
template <>
inline constexpr int fields<recording::ArithmeticPeak> = 3;
template <>
inline constexpr int fields<recording::ConflictLatency> = 3;
template <>
inline constexpr int fields<recording::Streaming> = 3;
template <>
inline constexpr int fields<recording::DependentChain> = 4;
template <>
inline constexpr int fields<recording::GpuMeasurement> = 13;
template <>
inline constexpr int fields<kernels::Energy> = 3;
template <>
inline constexpr int fields<kernels::Timing> = 5;
template <>
inline constexpr int fields<kernels::BenchResult> = 6;
template <>
inline constexpr int fields<kernels::Verification> = 4;
template <>
inline constexpr int fields<kernels::BaselineResult> = 7;
template <>
inline constexpr int fields<kernels::Candidate> = 7;
template <>
inline constexpr int fields<kernels::TuneOptions> = 2;
template <>
inline constexpr int fields<kernels::Counters> = 6;
template <>
inline constexpr int fields<kernels::CheckedFigure> = 6;
template <>
inline constexpr int fields<kernels::CounterCheck> = 1;
template <>
inline constexpr int fields<kernels::InstructionCount> = 5;
template <>
inline constexpr int fields<kernels::InstructionCounters> = 2;
template <>
inline constexpr int fields<recording::WarpSample> = 4;
template <>
inline constexpr int fields<recording::WarpSamples> = 7;
template <>
inline constexpr int fields<recording::RunInstruction> = 5;
template <>
inline constexpr int fields<recording::RunProfile> = 3;
template <>
inline constexpr int fields<kernels::CountedAccesses::Figures> = 3;
template <>
inline constexpr int fields<kernels::CountedAccesses> = 7;
template <>
inline constexpr int fields<kernels::Instruction> = 8;
template <>
inline constexpr int fields<kernels::KernelCode> = 4;
template <>
inline constexpr int fields<kernels::MachineCode> = 4;
template <>
inline constexpr int fields<kernels::ExecutedInstructions> = 8;
template <>
inline constexpr int fields<kernels::LineExecution> = 5;
template <>
inline constexpr int fields<Winner> = 6;
template <>
inline constexpr int fields<NamedCount> = 3;
template <>
inline constexpr int fields<CountedRow> = 9;
template <>
inline constexpr int fields<CountedElsewhere> = 3;
template <>
inline constexpr int fields<GpuFacts> = 2;
template <>
inline constexpr int fields<StageJob> = 5;
template <>
inline constexpr int fields<Scales> = 2;
template <>
inline constexpr int fields<kernels::SpeedFigures> = 5;
template <>
inline constexpr int fields<FoundWinner> = 2;
template <>
inline constexpr int fields<CountedLaunch> = 8;
template <>
inline constexpr int fields<CountedInstructions> = 7;
template <>
inline constexpr int fields<ProbeResult::Failed> = 2;
template <>
inline constexpr int fields<Progress> = 4;
template <>
inline constexpr int fields<Failure> = 2;
template <>
inline constexpr int fields<kernels::ListedGpu> = 3;
template <>
inline constexpr int fields<MachineFacts> = 8;
template <>
inline constexpr int fields<RecordTask> = 3;
template <>
inline constexpr int fields<RecordResult> = 2;
template <>
inline constexpr int fields<VerifyTask> = 3;
template <>
inline constexpr int fields<VerifyResult> = 1;
template <>
inline constexpr int fields<MeasureTask> = 4;
template <>
inline constexpr int fields<MeasureResult> = 3;
template <>
inline constexpr int fields<BaselineTask> = 6;
template <>
inline constexpr int fields<BaselineResult> = 6;
template <>
inline constexpr int fields<TuneTask> = 3;
template <>
inline constexpr int fields<TuneResult> = 5;
template <>
inline constexpr int fields<CountTask> = 5;
template <>
inline constexpr int fields<CountResult> = 3;
template <>
inline constexpr int fields<ExamineTask> = 3;
template <>
inline constexpr int fields<ExamineResult> = 5;
template <>
inline constexpr int fields<ProbeResult> = 3;
template <>
inline constexpr int fields<OpenTask> = 2;
template <>
inline constexpr int fields<OpenResult> = 1;
template <>
inline constexpr int fields<SourceText> = 1;
template <>
inline constexpr int fields<SaveTask> = 2;
template <>
inline constexpr int fields<SaveResult> = 2;
template <>
inline constexpr int fields<PrepareTask> = 2;
template <>
inline constexpr int fields<PrepareResult> = 1;
template <>
inline constexpr int fields<injection::ListedLaunch> = 8;
template <>
inline constexpr int fields<ListProgramTask> = 1;
template <>
inline constexpr int fields<ListProgramResult> = 2;
template <>
inline constexpr int fields<TraceProgramTask> = 5;
template <>
inline constexpr int fields<TraceProgramResult> = 2;
template <>
inline constexpr int fields<model::TwoFigures> = 2;
template <>
inline constexpr int fields<model::Pattern> = 3;
template <>
inline constexpr int fields<model::PatternRow> = 6;
template <>
inline constexpr int fields<MeasurePatternsTask> = 1;
template <>
inline constexpr int fields<MeasurePatternsResult> = 1;
template <>
inline constexpr int fields<traced::Request> = 16;
template <>
inline constexpr int fields<traced::Check> = 3;
template <>
inline constexpr int fields<TraceTask> = 1;
template <>
inline constexpr int fields<TraceResult> = 6;
template <>
inline constexpr int fields<RunFileTask> = 6;
template <>
inline constexpr int fields<FileChoice> = 3;
template <>
inline constexpr int fields<TileFacts> = 4;
template <>
inline constexpr int fields<ParameterFacts> = 3;
template <>
inline constexpr int fields<FileParameter> = 4;
template <>
inline constexpr int fields<RunFileResult> = 9;
template <>
inline constexpr int fields<kernels::WatchedWarps> = 3;
template <>
inline constexpr int fields<recording::TimedStep> = 5;
template <>
inline constexpr int fields<recording::TimedWarp> = 9;
template <>
inline constexpr int fields<recording::WarpTimes> = 11;
template <>
inline constexpr int fields<WarpsTask> = 2;
template <>
inline constexpr int fields<WarpsResult> = 1;

// The fields of a struct, as references.
template <int count, class T>
auto tied(T& value)
{
    if constexpr (count == 1) {
        auto& [a] = value;
        return std::tie(a);
    } else if constexpr (count == 2) {
        auto& [a, b] = value;
        return std::tie(a, b);
    } else if constexpr (count == 3) {
        auto& [a, b, c] = value;
        return std::tie(a, b, c);
    } else if constexpr (count == 4) {
        auto& [a, b, c, d] = value;
        return std::tie(a, b, c, d);
    } else if constexpr (count == 5) {
        auto& [a, b, c, d, e] = value;
        return std::tie(a, b, c, d, e);
    } else if constexpr (count == 6) {
        auto& [a, b, c, d, e, f] = value;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (count == 7) {
        auto& [a, b, c, d, e, f, g] = value;
        return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (count == 8) {
        auto& [a, b, c, d, e, f, g, h] = value;
        return std::tie(a, b, c, d, e, f, g, h);
    } else if constexpr (count == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = value;
        return std::tie(a, b, c, d, e, f, g, h, i);
    } else if constexpr (count == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (count == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    } else if constexpr (count == 12) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    } else if constexpr (count == 13) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
    } else if constexpr (count == 15) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
    } else {
        static_assert(count == 16, "a struct of another number of fields needs another case here");
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    }
}

// The names in a counter's check are literals; these are all of them.
std::string_view known_name(const std::string& text)
{
    constexpr std::array<std::string_view, 9> names = {"shared_load",  "shared_store", "global_load",
                                                       "global_store", "instructions", "wavefronts",
                                                       "conflicts",    "requests",     "sectors"};
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
        throw kernels::Error(fmt::format("no figure is called {}", text));
    return *found;
}

template <class T>
struct IsVector : std::false_type {
};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {
};
template <class T>
struct IsOptional : std::false_type {
};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {
};
template <class T>
struct IsVariant : std::false_type {
};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {
};

template <class T>
Json put(const T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        if (value == nullptr)
            return nullptr;
        const std::vector<std::byte> bytes = recording::to_file_bytes(*value);
        const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
        return Json::binary(std::vector<uint8_t>(data, data + bytes.size()));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        return value == nullptr ? Json(nullptr) : Json::array({put(*value)});
    } else if constexpr (std::is_same_v<T, Recorded>) {
        return put(value.recording); // the rest is derived again
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        return value.string();
    } else if constexpr (std::is_same_v<T, ProbeTask>) {
        return nullptr;
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<int>(value);
    } else if constexpr (IsOptional<T>::value) {
        return value ? Json::array({put(*value)}) : Json(nullptr);
    } else if constexpr (IsVector<T>::value) {
        Json list = Json::array();
        for (const auto& one : value)
            list.push_back(put(one));
        return list;
    } else if constexpr (IsVariant<T>::value) {
        return Json::array({value.index(), std::visit([](const auto& one) { return put(one); }, value)});
    } else if constexpr (fields<T> > 0) {
        Json list = Json::array();
        std::apply([&](const auto&... field) { (list.push_back(put(field)), ...); }, tied<fields<T>>(value));
        return list;
    } else {
        return value;
    }
}

template <class T>
void get(const Json& json, T& value);

template <class T, std::size_t... i>
void get_variant(const Json& json, T& value, std::index_sequence<i...>)
{
    const auto index = json.at(0).get<std::size_t>();
    const bool known = ((index == i && (get(json.at(1), value.template emplace<i>()), true)) || ...);
    if (!known)
        throw kernels::Error("there is no such task");
}

template <class T>
void get(const Json& json, T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        if (json.is_null())
            return;
        const auto& bytes = json.get_binary();
        value = std::make_shared<const recording::Recording>(
            recording::from_file_bytes(std::as_bytes(std::span(bytes.data(), bytes.size()))));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        recording::RunProfile run;
        if (json.is_null())
            return;
        get(json.at(0), run);
        check(run);
        value = std::make_shared<const recording::RunProfile>(std::move(run));
    } else if constexpr (std::is_same_v<T, Recorded>) {
        RecordingPtr recording;
        get(json, recording);
        if (recording == nullptr)
            throw kernels::Error("a recording is missing");
        value = derive(*recording);
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        value = json.get<std::string>();
    } else if constexpr (std::is_same_v<T, std::string_view>) {
        value = known_name(json.get<std::string>());
    } else if constexpr (std::is_same_v<T, ProbeTask>) {
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(json.get<int>());
    } else if constexpr (IsOptional<T>::value) {
        if (!json.is_null()) {
            typename T::value_type one{};
            get(json.at(0), one);
            value = std::move(one);
        }
    } else if constexpr (IsVector<T>::value) {
        value.clear(); // of what a task has by default
        for (const Json& one : json)
            if constexpr (std::is_arithmetic_v<typename T::value_type>)
                value.push_back(one.get<typename T::value_type>());
            else
                get(one, value.emplace_back());
    } else if constexpr (IsVariant<T>::value) {
        get_variant(json, value, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (fields<T> > 0) {
        if (json.size() != fields<T>)
            throw kernels::Error("a part has another form");
        std::size_t next = 0;
        std::apply([&](auto&... field) { (get(json.at(next++), field), ...); }, tied<fields<T>>(value));
    } else {
        value = json.get<T>();
    }
}

template <class T>
std::vector<std::byte> encode(const T& value)
{
    const std::vector<uint8_t> bytes = Json::to_cbor(Json::array({bytes_version, put(value)}));
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    return {data, data + bytes.size()};
}

template <class T>
T decode(std::span<const std::byte> bytes)
try {
    const Json json = Json::from_cbor(bytes.begin(), bytes.end());
    if (json.at(0) != bytes_version)
        throw kernels::Error("it is of another version");
    T value;
    get(json.at(1), value);
    return value;
} catch (const std::exception& error) {
    throw kernels::Error(fmt::format("What another gemmscope process sent cannot be understood ({}); both must be of "
                                     "the same version.",
                                     error.what()));
}

} // namespace

std::vector<std::byte> to_bytes(const Task& task)
{
    return encode(task);
}
std::vector<std::byte> to_bytes(const Result& result)
{
    return encode(result);
}
std::vector<std::byte> to_bytes(const Progress& progress)
{
    return encode(progress);
}
std::vector<std::byte> to_bytes(const Failure& failure)
{
    return encode(failure);
}
std::vector<std::byte> to_bytes(const MachineFacts& machine)
{
    return encode(machine);
}

Task task_from(std::span<const std::byte> bytes)
{
    return decode<Task>(bytes);
}
Result result_from(std::span<const std::byte> bytes)
{
    return decode<Result>(bytes);
}
Progress progress_from(std::span<const std::byte> bytes)
{
    return decode<Progress>(bytes);
}
Failure failure_from(std::span<const std::byte> bytes)
{
    return decode<Failure>(bytes);
}
MachineFacts machine_from(std::span<const std::byte> bytes)
{
    return decode<MachineFacts>(bytes);
}

} // namespace app
