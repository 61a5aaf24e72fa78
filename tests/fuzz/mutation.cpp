#include "tests/fuzz/mutation.h"

#include "backend.h"
#include "recording/file.h"
#include "recording/format.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

namespace fuzz {

namespace {

using recording::Recording;

// Numbers that often cause errors: limits of types and of GPUs, and numbers just beyond them.
constexpr std::array<uint64_t, 20> telling = {
    0,    1,    2,     31,       32,          33,          127,      128,         255,         256,
    1024, 1025, 65535, 1u << 20, 0x7fffffffu, 0x80000000u, 1u << 24, 0xfffffffeu, 0xffffffffu, 0xffffffffffffffffull};

uint64_t number(Random& random, uint64_t before)
{
    switch (random() % 4) {
    case 0: return telling[random() % telling.size()];
    case 1: return before + random() % 5 - 2;
    case 2: return before ^ uint64_t { 1 } << random() % 64;
    default: return random() >> random() % 64;
    }
}

template <class T>
void change(T& value, Random& random)
{
    value = static_cast<T>(number(random, static_cast<uint64_t>(value)));
}

void change(float& value, Random& random)
{
    constexpr std::array<float, 6> some = {
        0, -0.0f, 1e38f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), -1};
    value = some[random() % some.size()];
}

void change(double& value, Random& random)
{
    constexpr std::array<double, 6> some = {
        0, -1, 1e308, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1e-308};
    value = some[random() % some.size()];
}

void change(std::string& text, Random& random)
{
    constexpr std::array<const char*, 8> some = {"", "A", "As", "%s%n", "\x1b[2J", "\xff\xfe", "a\nb", "{slug}"};
    if (random() % 2 == 0)
        text = some[random() % some.size()];
    else if (!text.empty())
        text[random() % text.size()] = static_cast<char>(random());
}

void change(recording::Index3& index, Random& random)
{
    change(random() % 3 == 0 ? index.x : random() % 2 == 0 ? index.y : index.z, random);
}

template <class T>
T* any(std::vector<T>& list, Random& random)
{
    return list.empty() ? nullptr : &list[random() % list.size()];
}

// Returns a random element to change. Sometimes changes the length of the list instead, and returns null.
template <class T>
T* any_or_resized(std::vector<T>& list, Random& random)
{
    if (random() % 8 != 0)
        return any(list, random);
    if (list.empty() || random() % 2 == 0)
        list.emplace_back();
    else if (random() % 2 == 0)
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(random() % list.size()));
    else
        list.push_back(list[random() % list.size()]);
    return nullptr;
}

void change_array(Recording& recording, Random& random)
{
    recording::Array* const array = any_or_resized(recording.arrays, random);
    if (array == nullptr)
        return;
    switch (random() % 8) {
    case 0: return change(array->name, random);
    case 1: array->space = static_cast<recording::Space>(random() % 3); return;
    case 2: return change(array->rows, random);
    case 3: return change(array->cols, random);
    case 4: return change(array->element_bytes, random);
    case 5: return change(array->bytes, random);
    case 6: return change(array->pitch, random);
    default:
        if (uint32_t* const place = any_or_resized(array->layout, random))
            change(*place, random);
    }
}

void change_access(recording::Access& access, Random& random)
{
    switch (random() % 8) {
    case 0: access.op = static_cast<recording::Op>(random() % 40); return;
    case 1: return change(access.array, random);
    case 2: return change(access.width, random);
    case 3: return change(access.line, random);
    case 4: return change(access.mask, random);
    case 5: return change(access.instruction, random);
    case 6: access.transposed = static_cast<recording::Transposed>(random() % 4); return;
    default: change(access.offset[random() % access.offset.size()], random);
    }
}

void change_block(Recording& recording, Random& random)
{
    recording::BlockTrace* const block = any_or_resized(recording.blocks, random);
    if (block == nullptr)
        return;
    if (random() % 8 == 0)
        return change(block->block, random);
    if (recording::WarpTrace* const warp = any_or_resized(block->warps, random))
        if (recording::Access* const access = any_or_resized(warp->accesses, random)) {
            change_access(*access, random);
            if (random() % 4 == 0) // makes many of them equal
                for (recording::Access& other : warp->accesses)
                    if (random() % 3 == 0)
                        other = *access;
        }
}

void change_totals(Recording& recording, Random& random)
{
    recording::LineTotals* const line = any_or_resized(recording.lines, random);
    if (line == nullptr)
        return;
    switch (random() % 5) {
    case 0: return change(line->line, random);
    case 1: return change(line->totals.shared_load.wavefronts, random);
    case 2: return change(line->totals.shared_store.conflicts, random);
    case 3: return change(line->totals.global_load.sectors, random);
    default: return change(line->totals.global_store.requests, random);
    }
}

void change_device(recording::Device& device, Random& random)
{
    switch (random() % 7) {
    case 0: return change(device.backend, random);
    case 1: return change(device.name, random);
    case 2: return change(device.compute_capability, random);
    case 3: return change(device.sm_count, random);
    case 4: return change(device.max_threads_per_sm, random);
    case 5: return change(device.clock_khz, random);
    default: return change(device.peak_gflops, random);
    }
}

void change_resources(Recording& recording, Random& random)
{
    if (!recording.resources)
        recording.resources = recording::Resources{32, 1024, 0, 2};
    else if (random() % 8 == 0)
        return recording.resources.reset();
    switch (random() % 4) {
    case 0: return change(recording.resources->registers_per_thread, random);
    case 1: return change(recording.resources->shared_bytes_per_block, random);
    case 2: return change(recording.resources->local_bytes_per_thread, random);
    default: return change(recording.resources->blocks_per_sm, random);
    }
}

void change_placements(Recording& recording, Random& random)
{
    if (recording.placements.empty()) {
        const uint64_t blocks = std::min<uint64_t>(recording.launch.grid.volume(), 4096);
        for (uint64_t block = 0; block < blocks; ++block)
            recording.placements.push_back({static_cast<uint32_t>(block % 4), 100 * block, 100 * block + 50});
    }
    if (recording::Placement* const one = any_or_resized(recording.placements, random)) {
        if (random() % 3 == 0)
            change(one->sm, random);
        else
            change(random() % 2 == 0 ? one->start_ns : one->end_ns, random);
    }
}

void change_executed(Recording& recording, Random& random)
{
    if (!recording.executed)
        recording.executed =
            recording::InstructionTrace{"sgemm<8>", "PTX", {{"ld.shared.f32 %f1, [%r1];", 1, 1}}, true, {}};
    else if (random() % 8 == 0)
        return recording.executed.reset();
    if (recording::MachineInstruction* const one = any_or_resized(recording.executed->instructions, random)) {
        if (random() % 3 == 0)
            change(one->text, random);
        else
            change(random() % 2 == 0 ? one->address : one->line, random);
    } else {
        recording.executed->multiplies = !recording.executed->multiplies;
    }
}

void change_problem(Recording& recording, Random& random)
{
    recording::Problem& problem = recording.problem;
    switch (random() % 6) {
    case 0: return change(problem.M, random);
    case 1: return change(problem.N, random);
    case 2: return change(problem.K, random);
    case 3: return change(problem.alpha, random);
    case 4: return change(problem.beta, random);
    default: recording.inputs = static_cast<recording::Inputs>(random() % 4);
    }
}

void change_words(Recording& recording, Random& random)
{
    switch (random() % 5) {
    case 0: return change(recording.stage, random);
    case 1: return change(recording.recorded_at, random);
    case 2:
        if (recording::Parameter* const one = any_or_resized(recording.parameters, random))
            random() % 2 == 0 ? change(one->name, random) : change(one->value, random);
        return;
    case 3:
        if (recording::SourceFile* const one = any_or_resized(recording.sources, random))
            change(random() % 2 == 0 ? one->name : one->text, random);
        return;
    default: return change(recording.body, random);
    }
}

void change_field(Recording& recording, Random& random)
{
    switch (random() % 12) {
    case 0: return change_problem(recording, random);
    case 1: return change(recording.launch.grid, random);
    case 2: return change(recording.launch.block, random);
    case 3: return change_array(recording, random);
    case 4: return change_totals(recording, random);
    case 5: return change_device(recording.device, random);
    case 6: return change_resources(recording, random);
    case 7: return change_placements(recording, random);
    case 8: return change_executed(recording, random);
    case 9: return change_words(recording, random);
    case 10:
        if (uint32_t* const owner = any_or_resized(recording.owner, random))
            change(*owner, random);
        return;
    default: return change_block(recording, random);
    }
}

std::string text_of(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string wrapped(const std::string& content)
{
    const recording::Packed file = recording::pack(std::as_bytes(std::span(content)));
    return text_of(file.bytes());
}

std::string content_of(const Recording& recording)
{
    const flatbuffers::DetachedBuffer content = recording::encode(recording);
    return {reinterpret_cast<const char*>(content.data()), content.size()};
}

void change_bytes(std::string& bytes, Random& random)
{
    for (uint64_t changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = random() % bytes.size();
        if (random() % 2 == 0 && at + 4 <= bytes.size()) { // changes an aligned 32-bit number
            uint32_t value = 0;
            std::memcpy(&value, bytes.data() + at / 4 * 4, std::min<std::size_t>(4, bytes.size() - at / 4 * 4));
            change(value, random);
            std::memcpy(bytes.data() + at / 4 * 4, &value, std::min<std::size_t>(4, bytes.size() - at / 4 * 4));
        } else {
            bytes[at] = static_cast<char>(random());
        }
    }
    if (random() % 64 == 0)
        bytes.resize(random() % bytes.size());
}

Seed seed_of(std::string name, Recording recording)
{
    std::string content = content_of(recording);
    return {std::move(name), std::move(recording), std::move(content)};
}

} // namespace

std::vector<Seed> seeds(const std::string& folder)
{
    std::vector<Seed> result;
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    for (const char* slug : {"naive", "shared_tile", "vectorized", "warp_shuffle", "async_copy", "mma_ldmatrix", "wmma",
                             "split_k", "vector_add", "thread_coords"}) {
        const kernels::Stage& stage = kernels::find_stage(ladder, slug);
        const kernels::ParameterValues parameters = stage.tiny ? stage.tiny->parameters : stage.standard_parameters();
        const bool vectors = stage.operation == kernels::Operation::vector_add;
        const kernels::Job job{
            &stage, parameters, {.M = vectors ? 1u : 20u, .N = vectors ? 100u : 24u, .K = vectors ? 1u : 12u}};
        const recording::Index3 block{0, 0, 0};
        result.push_back(seed_of(slug, backend->record(job, {&block, 1}, {})));
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".gscope" && entry.file_size() < 20000)
            if (Recording one = recording::read(entry.path()); recording::encoded_bound(one) < 600000)
                result.push_back(seed_of(entry.path().stem().string(), std::move(one)));
    return result;
}

Mutated mutate(const Seed& seed, Random& random)
{
    Mutated result;
    switch (random() % 10) {
    case 0: // changes bytes of the file
        result.file = wrapped(seed.content);
        change_bytes(result.file, random);
        break;
    case 1:
    case 2:
    case 3:
    case 4: { // changes bytes of the content
        std::string content = seed.content;
        change_bytes(content, random);
        result.file = wrapped(content);
        break;
    }
    default: { // changes fields of the recording
        Recording recording = seed.recording;
        for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
            change_field(recording, random);
        if (recording.sources.empty())
            recording.sources.emplace_back();
        recording.body = std::min(recording.body, static_cast<uint32_t>(recording.sources.size() - 1));
        result.file = wrapped(content_of(recording));
    }
    }
    if (result.file.size() >= recording::header_bytes)
        if (const auto header =
                recording::header_from(std::as_bytes(std::span(result.file)).first<recording::header_bytes>()))
            result.announced = header->uncompressed_bytes;
    return result;
}

} // namespace fuzz
