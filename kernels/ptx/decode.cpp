#include "ptx/decode.h"

#include "error.h"
#include "machine_code/elf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace ptx {

namespace {

constexpr uint64_t most_local_bytes = 1u << 20, most_variable_bytes = uint64_t{1} << 31;
constexpr int deepest_call = 32;

// Returns whether the statement makes earlier accesses visible to other blocks in an order.
bool synchronizes_blocks(const Statement& statement)
{
    const Words words(statement.name);
    if (words.first == "membar")
        return !words.has("cta");
    if (words.first == "fence")
        return words.has("gpu") || words.has("sys");
    const bool plain = words.first == "ld" || words.first == "st";
    if (words.has("shared") || (!plain && words.first != "atom" && words.first != "red"))
        return false;
    return words.has("acquire") || words.has("release") || words.has("acq_rel") ||
           (plain && (words.has("volatile") || words.has("relaxed")));
}

} // namespace

Decoder::Decoder(const Module& module, Program& program, std::size_t variables_from)
    : module_(module), program_(program)
{
    place_module_variables(variables_from);
}

void Decoder::fail(const std::string& what) const
{
    throw kernels::Error(fmt::format("{}line {} of the PTX ({}): {}.",
                                     text_->source_line != 0 ? fmt::format("Line {}, ", text_->source_line) : "In ",
                                     text_->line, text_->text, what));
}

void Decoder::unknown() const
{
    fail(fmt::format("the PTX machine does not know the instruction {}; run the kernel on a GPU", text_->name));
}

void Decoder::place_module_variables(std::size_t from)
{
    uint64_t bytes = 0;
    for (const Variable& variable : module_.variables) {
        if (variable.space == Space::shared)
            continue; // is placed when a kernel that uses it is decoded
        if (globals_.contains(variable.name))
            continue;
        bytes += variable.bytes;
        if (bytes > most_variable_bytes)
            throw kernels::Error(
                fmt::format("The variables of the file in global and constant memory take more than the {} "
                            "bytes that the PTX machine holds; make them smaller, or run it on a GPU.",
                            most_variable_bytes));
        const uint64_t address = global_address(from + program_.variables.size());
        globals_[variable.name] = {variable.space, address};
        program_.variables.push_back(variable);
        program_.variable_addresses.push_back(address);
    }
}

void Decoder::place_parameters(const Function& kernel, Frame& frame)
{
    uint64_t end = 0;
    for (const Variable& variable : kernel.parameters) {
        const uint64_t first = aligned(end, std::max<uint64_t>(1, variable.alignment));
        frame.symbols[variable.name] = {Space::parameter, first};
        program_.parameters.push_back({variable.name, variable.type, first, variable.bytes});
        end = first + variable.bytes;
    }
    if (end > 32768)
        throw kernels::Error(
            fmt::format("{} has {} bytes of parameters, more than a kernel can have.", kernel.name, end));
    program_.parameter_bytes = end;
}

// Places the variables of one function. All calls of a function share its shared variables.
void Decoder::place_variables(Frame& frame)
{
    const auto place_shared = [&](const Variable& variable, const std::string& key) {
        if (!variable.sized) { // dynamic shared memory lies behind all other variables
            program_.shared.push_back(
                {.name = variable.name, .first = variable.alignment, .bytes = 0, .dynamic = true});
            shared_symbols_[variable.name] = {Space::shared, 0, true};
            return;
        }
        if (shared_.contains(key))
            return;
        const uint64_t first = aligned(program_.shared_bytes, variable.alignment);
        program_.shared.push_back({.name = variable.name, .first = first, .bytes = variable.bytes});
        shared_[key] = first;
        if (key == variable.name)
            shared_symbols_[key] = {Space::shared, first};
        program_.shared_bytes = first + variable.bytes;
        if (program_.shared_bytes > cluster_step) // the shared memory of the cluster's next block begins there
            throw kernels::Error(
                fmt::format("Line {} of the PTX: the block's shared memory takes {} bytes, far more than a "
                            "GPU has; make {} smaller.",
                            variable.line, program_.shared_bytes, variable.name));
    };
    if (frame.depth == 0)
        for (const Variable& variable : module_.variables)
            if (variable.space == Space::shared)
                place_shared(variable, variable.name);
    for (const Variable& variable : frame.function->variables) {
        if (variable.space == Space::shared) {
            const std::string key = frame.function->name + " " + variable.name;
            place_shared(variable, key);
            frame.symbols[variable.name] = {Space::shared, variable.sized ? shared_[key] : 0, !variable.sized};
            continue;
        }
        const uint64_t first = aligned(program_.local_bytes, std::max<uint64_t>(8, variable.alignment));
        frame.symbols[variable.name] = {Space::local, first};
        program_.local_bytes = first + variable.bytes;
        if (program_.local_bytes > most_local_bytes)
            throw kernels::Error(fmt::format("Line {} of the PTX: a thread's own memory takes more than {} bytes.",
                                             variable.line, most_local_bytes));
    }
}

void Decoder::run(const Function& kernel)
{
    Frame frame{.function = &kernel};
    program_.kernel = kernel.name;
    const auto said = [](const std::array<uint32_t, 3>& extent) -> std::optional<recording::Index3> {
        if (extent[0] == 0)
            return {};
        return recording::Index3{extent[0], extent[1], extent[2]};
    };
    program_.cluster = said(kernel.cluster);
    program_.most_threads = said(kernel.most);
    program_.required_threads = said(kernel.required);
    place_parameters(kernel, frame);
    function(frame);
    emit({.kind = Kind::exit}); // for a body that ends without an exit
    finish(frame);
    // Dynamic shared memory follows the declared variables.
    uint64_t alignment = 16;
    for (const Placed& placed : program_.shared)
        if (placed.dynamic)
            alignment = std::max(alignment, placed.first);
    program_.dynamic_first = aligned(program_.shared_bytes, alignment);
    for (Placed& placed : program_.shared)
        if (placed.dynamic)
            placed.first = program_.dynamic_first;
    for (Program::Constant& constant : program_.constants)
        if (constant.from_dynamic_start)
            constant.value += program_.dynamic_first;
    program_.race_free_by_other_means =
        std::ranges::any_of(program_.instructions, [](const Instruction& one) { return one.kind == Kind::mbarrier; });
    program_.synchronizes_blocks = std::ranges::any_of(program_.statements, synchronizes_blocks);
    order_blocks(program_);
}

void Decoder::function(Frame& frame)
{
    place_variables(frame);
    std::multimap<std::size_t, std::string> labels;
    for (const auto& [name, at] : frame.function->labels)
        labels.emplace(at, name);
    const std::vector<Statement>& statements = frame.function->statements;
    for (std::size_t i = 0; i <= statements.size(); ++i) {
        for (auto [label, end] = labels.equal_range(i); label != end; ++label)
            frame.labels[label->second] = static_cast<uint32_t>(program_.instructions.size());
        if (i < statements.size())
            statement(frame, statements[i]);
    }
}

void Decoder::finish(Frame& frame)
{
    const auto end = static_cast<uint32_t>(program_.instructions.size());
    const auto place_of = [&](const std::string& label) {
        const auto found = frame.labels.find(label);
        if (found == frame.labels.end())
            fail(fmt::format("there is no label {}", label));
        return found->second;
    };
    for (const uint32_t at : frame.ends)
        program_.instructions[at].target = end;
    for (const uint32_t at : frame.branches) {
        Instruction& branch = program_.instructions[at];
        text_ = &program_.statements[branch.statement];
        if (branch.kind == Kind::branch) {
            branch.target = place_of(operand(0).name);
            continue;
        }
        const auto table = frame.function->branch_targets.find(operand(1).name);
        if (table == frame.function->branch_targets.end())
            fail("its table of labels is missing");
        for (const std::string& label : table->second)
            branch.targets.push_back(place_of(label));
    }
}

Instruction& Decoder::emit(Instruction instruction)
{
    instruction.statement = statement_;
    if (instruction.guard == no_register) {
        instruction.guard = guard_;
        instruction.negated = negated_;
    }
    program_.instructions.push_back(std::move(instruction));
    if (program_.instructions.size() > 4 * most_statements)
        throw kernels::Error("The kernel is longer than what the PTX machine holds.");
    return program_.instructions.back();
}

void Decoder::leave_bits_open(const std::string& name)
{
    if (std::ranges::find(program_.approximate, name) == program_.approximate.end())
        program_.approximate.push_back(name);
}

void Decoder::flush_after()
{
    for (Instruction& instruction : after_)
        emit(std::move(instruction));
    after_.clear();
}

void Decoder::statement(Frame& frame, const Statement& text)
{
    if (program_.statements.size() >= most_statements)
        throw kernels::Error("The kernel is longer than what the PTX machine holds.");
    statement_ = static_cast<uint32_t>(program_.statements.size());
    program_.statements.push_back(text);
    frame_ = &frame, text_ = &text;
    guard_ = no_register, negated_ = false;
    if (!text.guard.empty()) {
        const uint32_t guard = source({.kind = Operand::Kind::name, .name = text.guard}, Width::predicate);
        guard_ = guard, negated_ = text.negated;
    }
    const Words words(text.name);
    constexpr std::array families = {decode_cluster,    decode_mbarrier, decode_copies,    decode_memory,
                                     decode_collective, decode_matrix,   decode_warpgroup, decode_texture};
    const auto decodes = [&](const auto& family) { return family(*this, words); };
    if (!control(words) && !moved(words) && std::ranges::none_of(families, decodes) && !arithmetic(words))
        unknown();
    // PTX does not define in which order a tensor core adds.
    if ((words.first == "mma" || words.has("mma") || words.has("mma_async")) && words.type() != Type::s32)
        leave_bits_open(std::string(words.first));
    flush_after();
    guard_ = no_register, negated_ = false;
}

bool Decoder::control(const Words& words)
{
    const std::string_view name = words.first;
    if (name == "bra" || name == "brx") {
        Instruction branch{.kind = name == "bra" ? Kind::branch : Kind::branch_table};
        if (name == "brx")
            branch.r[0] = source(0, Width::word);
        frame_->branches.push_back(static_cast<uint32_t>(program_.instructions.size()));
        emit(branch);
        return true;
    }
    if (name == "ret" && frame_->depth > 0) {
        frame_->ends.push_back(static_cast<uint32_t>(program_.instructions.size()));
        emit({.kind = Kind::branch});
        return true;
    }
    if (name == "ret" || name == "exit") {
        emit({.kind = Kind::exit});
        return true;
    }
    if (name == "trap" || name == "brkpt") {
        emit({.kind = Kind::other, .execute = trap});
        return true;
    }
    if (name == "call") {
        call();
        return true;
    }
    if (name == "gemmscope") {
        Instruction noted{.kind = Kind::other, .execute = note};
        for (std::size_t i = 0; i < 5; ++i)
            noted.r[i] = source(i, i == 2 ? Width::wide : Width::word);
        emit(noted);
        return true;
    }
    if (name == "createpolicy") {
        Instruction zero{.kind = Kind::arithmetic};
        zero.run = &each<[](uint64_t a) { return a; }>;
        zero.r[1] = constant(0, Width::wide);
        zero.r[0] = target(0, Width::wide);
        emit(zero);
        return true;
    }
    constexpr std::array<std::string_view, 11> nops = {
        "membar",        "fence",   "nanosleep",      "prefetch",   "prefetchu", "discard",
        "applypriority", "pmevent", "griddepcontrol", "setmaxnreg", "nop"};
    if (std::find(nops.begin(), nops.end(), name) == nops.end())
        return false;
    emit({.kind = Kind::nop});
    return true;
}

void Decoder::call()
{
    const Operand *name = nullptr, *given = nullptr, *results = nullptr;
    for (const Operand& one : text_->operands)
        if (one.kind == Operand::Kind::group)
            (name == nullptr ? results : given) = &one;
        else if (name == nullptr)
            name = &one;
    if (name == nullptr || name->kind != Operand::Kind::name || width_of_register(name->name))
        fail("a function is called by its address (a function pointer or a virtual function), which the PTX machine "
             "does "
             "not follow; run the kernel on a GPU");
    if (name->name == "__assertfail") {
        emit({.kind = Kind::other, .execute = trap});
        return;
    }
    if (name->name == "vprintf") { // `in` contains the format and the arguments, as addresses in parameters of the call
        Instruction instruction{.kind = Kind::other, .execute = print};
        for (std::size_t i = 0; i < 2; ++i) {
            const Frame::Symbol* const at =
                given != nullptr && i < given->parts.size() ? symbol(given->parts[i].name) : nullptr;
            if (at == nullptr || at->space != Space::local)
                fail("an argument of printf is no parameter");
            instruction.in.push_back(static_cast<uint32_t>(at->address));
        }
        emit(std::move(instruction));
        return;
    }
    const Function* called = module_.find(name->name);
    if (name->name == "malloc" || name->name == "free")
        fail("the PTX machine has no heap for kernels; give the kernel a buffer instead, or run it on a GPU");
    if (name->name.starts_with("__cudaCDP2") || name->name.starts_with("cudaLaunchDevice") ||
        name->name.starts_with("cudaGetParameterBuffer"))
        fail("a kernel is launched by a kernel (dynamic parallelism), which the PTX machine does not follow; choose a "
             "kernel that launches none, or run it on a GPU");
    if (called == nullptr || !called->has_body)
        fail(fmt::format("the function {} is not in the file, and the PTX machine has none of that name", name->name));
    if (frame_->depth >= deepest_call)
        fail(fmt::format("{} calls itself, or functions are nested too deeply; the PTX machine puts each function "
                         "in the place of its call. Run the kernel on a GPU",
                         kernels::readable_name(called->name.c_str())));
    if (guard_ != no_register)
        fail("a call under a predicate is not supported");
    Frame inner{.function = called, .prefix = fmt::format("{}/", ++calls_), .depth = frame_->depth + 1};
    const auto bind = [&](const std::vector<Variable>& wanted, const Operand* group) {
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (group == nullptr || i >= group->parts.size())
                fail(fmt::format("{} is called with too few arguments", called->name));
            const Frame::Symbol* argument = symbol(group->parts[i].name);
            if (argument == nullptr)
                fail(fmt::format("an argument of {} is no parameter", called->name));
            inner.symbols[wanted[i].name] = *argument;
        }
    };
    bind(called->parameters, given);
    bind(called->results, results);
    function(inner);
    statement_ = static_cast<uint32_t>(program_.statements.size()) - 1;
    finish(inner);
    guard_ = no_register;
    emit({.kind = Kind::nop}); // the target of returns
}

// Decodes mov of vectors, and cvta. Returns whether the statement is one of these.
bool Decoder::moved(const Words& words)
{
    if (words.first == "mov" && operands() == 2) {
        const int bits = bits_of(words.type());
        if (bits == 128 || words.type() == Type::none)
            unknown();
        if (operand(0).kind == Operand::Kind::list)
            return unpack(bits), true;
        if (operand(1).kind == Operand::Kind::list)
            return pack(bits), true;
        return false;
    }
    if (words.first != "cvta")
        return false;
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.added = window_of(space_in(words));
    if (words.type() != Type::u64)
        unknown();
    instruction.run = words.has("to") ? &each<[](const Instruction& i, uint64_t a) { return a - i.added; }>
                                      : &each<[](const Instruction& i, uint64_t a) { return a + i.added; }>;
    instruction.r[1] = source(1, Width::wide);
    instruction.r[0] = target(0, Width::wide);
    emit(instruction);
    return true;
}

void Decoder::pack(int bits)
{
    const std::vector<Operand>& parts = operand(1).parts;
    if (parts.empty() || bits % static_cast<int>(parts.size()) != 0)
        unknown();
    Instruction instruction{.kind = Kind::arithmetic};
    const int each_bits = bits / static_cast<int>(parts.size());
    instruction.width = static_cast<uint8_t>(each_bits);
    for (const Operand& part : parts)
        instruction.in.push_back(any_source(part, each_bits == 64 ? Type::b64 : Type::b32));
    instruction.run = [](const Instruction& i, std::byte* registers, uint32_t mask) {
        for_lanes(mask, [&](int lane) {
            uint64_t value = 0;
            for (std::size_t part = 0; part < i.in.size(); ++part) {
                const uint64_t one = read_register(registers, i.in[part], lane);
                const uint64_t ones = i.width >= 64 ? ~uint64_t{0} : (uint64_t{1} << i.width) - 1;
                value |= (one & ones) << part * i.width;
            }
            write_register(registers, i.r[0] | (i.transposed ? is_wide : 0), lane, value);
        });
    };
    instruction.transposed = bits == 64;
    instruction.r[0] = target(0, bits == 64 ? Width::wide : Width::word);
    emit(std::move(instruction));
}

void Decoder::unpack(int bits)
{
    const std::vector<Operand>& parts = operand(0).parts;
    if (parts.empty() || bits % static_cast<int>(parts.size()) != 0)
        unknown();
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.width = static_cast<uint8_t>(bits / static_cast<int>(parts.size()));
    instruction.r[1] = source(1, bits == 64 ? Width::wide : Width::word);
    instruction.transposed = bits == 64;
    for (const Operand& part : parts)
        instruction.to.push_back(any_target(part));
    instruction.run = [](const Instruction& i, std::byte* registers, uint32_t mask) {
        for_lanes(mask, [&](int lane) {
            const uint64_t value = read_register(registers, i.r[1] | (i.transposed ? is_wide : 0), lane);
            for (std::size_t part = 0; part < i.to.size(); ++part) {
                const uint64_t ones = i.width >= 64 ? ~uint64_t{0} : (uint64_t{1} << i.width) - 1;
                write_register(registers, i.to[part], lane, value >> part * i.width & ones);
            }
        });
    };
    emit(std::move(instruction));
}

bool Decoder::arithmetic(const Words& words)
{
    Instruction instruction{.kind = Kind::arithmetic};
    instruction.type = words.type();
    Arithmetic found;
    for (const auto look :
         {integer_arithmetic, bit_arithmetic, float_arithmetic, half_arithmetic, comparison, conversion})
        if (found.run == nullptr)
            found = look(words, instruction);
    if (found.run == nullptr)
        return false;
    if (found.approximate)
        leave_bits_open(text_->name);
    instruction.run = found.run;
    instruction.results = found.results;
    std::size_t at_operand = 1;
    for (std::size_t i = found.results; i < found.widths.size() && found.widths[i] != Width::none; ++i) {
        const Operand& one = operand(at_operand++);
        if (one.negated && found.widths[i] == Width::predicate && (words.first == "setp" || words.first == "set"))
            instruction.truth = 1;
        instruction.r[i] = source(one, found.widths[i]);
    }
    if (words.first == "lop3") {
        const Operand& table = operand(at_operand++);
        if (table.kind != Operand::Kind::immediate || words.has("BOOL"))
            unknown();
        instruction.truth = static_cast<uint8_t>(table.value);
    }
    if (at_operand < operands())
        fail("it has more operands than the PTX machine knows of");
    if (words.first.starts_with("add") || words.first.starts_with("sub") || words.first.starts_with("mad")) {
        if (carry_ == no_register)
            carry_ = register_at(Width::word);
        if (words.has("cc") || words.first == "addc" || words.first == "subc" || words.first == "madc")
            instruction.r[5] = carry_;
    }
    const Operand& to = operand(0);
    if (to.kind != Operand::Kind::name)
        fail("its result has a form that does not fit there");
    instruction.r[0] = target(to.name, found.widths[0]);
    if (!to.second.empty()) {
        if (!found.optional_result)
            unknown();
        instruction.r[1] = target(to.second, found.widths[1]);
    }
    emit(std::move(instruction));
    return true;
}

Program make_program(const Module& module, const std::string& kernel, std::size_t variables_from)
{
    const Function* function = module.find(kernel);
    if (function == nullptr || !function->is_kernel || !function->has_body)
        throw kernels::Error(fmt::format("The PTX has no kernel {}.", kernel));
    Program program;
    Decoder(module, program, variables_from).run(*function);
    return program;
}

} // namespace ptx
