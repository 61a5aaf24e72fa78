#include "machine_code/opcodes.h"

#include <algorithm>
#include <array>

namespace cuda {

namespace {

using recording::Op;

// Accesses to memory, barriers and arithmetic were found by compiling PTX of each kind, which
// tests/kernels/machine_code/machine_code_test.cpp does again; the others go by NVIDIA's names for the encodings that ptxas 13.0
// makes of the ladder, none of which tests/kernels/cuda/compiled_stages_test.cpp lets be unknown.
constexpr auto opcodes = std::to_array<Opcode>({
    // Memory.
    {0x181, "LDG", Width::elements, Op::global_load},
    {0x186, "STG", Width::elements, Op::global_store},
    {0x184, "LDS", Width::elements, Op::shared_load},
    {0x188, "STS", Width::elements, Op::shared_store},
    {0x183, "LDL", Width::elements},
    {0x187, "STL", Width::elements},
    {0x180, "LD", Width::elements},
    {0x185, "ST", Width::elements},
    {0x1ae, "LDGSTS", Width::elements, Op::async_load},
    {0x03b, "LDSM", Width::matrices, Op::matrix_load},
    {0x044, "STSM", Width::matrices},
    {0x18c, "ATOMS"},
    {0x18d, "ATOMS.CAS"},
    {0x18a, "ATOM"},
    {0x1a8, "ATOMG"},
    {0x1a9, "ATOMG.CAS"},
    {0x18e, "RED"},
    {0x1a6, "REDG"},
    {0x1b4, "UTMALDG"},
    {0x1b5, "UTMASTG"},
    {0x1ba, "UBLKCP"},
    {0x18f, "CCTL"},
    {0x1b9, "UTMACCTL"},
    // Waiting for others, and for what is under way.
    {0x1af, "LDGDEPBAR"},
    {0x11a, "DEPBAR"},
    {0x11d, "BAR"},
    {0x1a7, "SYNCS"},
    {0x1b2, "SYNCS"},
    {0x1b0, "ARRIVES"},
    {0x1c5, "WARPGROUP"},
    {0x192, "MEMBAR"},
    {0x1c6, "FENCE"},
    {0x1ab, "ERRBAR"},
    {0x1b7, "UTMACMDFLUSH"},
    {0x1c7, "UCGABAR"},
    {0x02d, "PREEXIT"},
    {0x02e, "ACQBULK"},
    {0x15d, "NANOSLEEP"},
    // Tensor cores.
    {0x03c, "HMMA"},
    {0x037, "IMMA"},
    {0x03f, "DMMA"},
    {0x1f0, "HGMMA"},
    {0x1f1, "IGMMA"},
    {0x1f3, "QGMMA"},
    // Floating point.
    {0x023, "FFMA"},
    {0x020, "FMUL"},
    {0x021, "FADD"},
    {0x008, "FSEL"},
    {0x009, "FMNMX"},
    {0x00a, "FSET"},
    {0x00b, "FSETP"},
    {0x102, "FCHK"},
    {0x108, "MUFU"},
    {0x030, "HADD2"},
    {0x031, "HFMA2"},
    {0x035, "HFMA2"},
    {0x032, "HMUL2"},
    {0x033, "HSET2"},
    {0x034, "HSETP2"},
    {0x040, "HMNMX2"},
    {0x029, "DADD"},
    {0x02b, "DFMA"},
    {0x028, "DMUL"},
    {0x02a, "DSETP"},
    // Integers, bits and predicates.
    {0x024, "IMAD"},
    {0x025, "IMAD.WIDE"},
    {0x027, "IMAD.HI"},
    {0x010, "IADD3"},
    {0x036, "VIADD"},
    {0x011, "LEA"},
    {0x012, "LOP3"},
    {0x019, "SHF"},
    {0x00c, "ISETP"},
    {0x01c, "PLOP3"},
    {0x013, "IABS"},
    {0x014, "VABSDIFF"},
    {0x017, "IMNMX"},
    {0x048, "VIMNMX"},
    {0x046, "VIADDMNMX"},
    {0x026, "IDP"},
    {0x01a, "SGXT"},
    {0x01b, "BMSK"},
    {0x100, "FLO"},
    {0x101, "BREV"},
    {0x109, "POPC"},
    {0x1c4, "REDUX"},
    {0x0a4, "UIMAD"},
    {0x0a5, "UIMAD.WIDE"},
    {0x090, "UIADD3"},
    {0x091, "ULEA"},
    {0x092, "ULOP3"},
    {0x099, "USHF"},
    {0x08c, "UISETP"},
    {0x09c, "UPLOP3"},
    {0x09a, "USGXT"},
    {0x0bd, "UFLO"},
    {0x0bf, "UPOPC"},
    // Moves and conversions.
    {0x002, "MOV"},
    {0x016, "PRMT"},
    {0x007, "SEL"},
    {0x189, "SHFL"},
    {0x03a, "MOVM"},
    {0x003, "P2R"},
    {0x004, "R2P"},
    {0x119, "S2R"},
    {0x005, "CS2R"},
    {0x1c3, "S2UR"},
    {0x0ca, "R2UR"},
    {0x1c2, "R2UR"},
    {0x182, "LDC"},
    {0x0b9, "ULDC"},
    {0x082, "UMOV"},
    {0x087, "USEL"},
    {0x096, "UPRMT"},
    {0x104, "F2F"},
    {0x110, "F2F"},
    {0x105, "F2I"},
    {0x111, "F2I"},
    {0x106, "I2F"},
    {0x112, "I2F"},
    {0x107, "FRND"},
    {0x113, "FRND"},
    {0x045, "I2FP"},
    {0x03e, "F2FP"},
    // Control.
    {0x147, "BRA"},
    {0x149, "BRX"},
    {0x145, "BSSY"},
    {0x141, "BSYNC"},
    {0x142, "BREAK"},
    {0x155, "BMOV"},
    {0x156, "BMOV"},
    {0x157, "BMOV"},
    {0x143, "CALL"},
    {0x144, "CALL"},
    {0x150, "RET"},
    {0x14d, "EXIT"},
    {0x15c, "BPT"},
    {0x118, "NOP"},
    {0x146, "YIELD"},
    {0x148, "WARPSYNC"},
    {0x11b, "ENDCOLLECTIVE"},
    {0x02f, "ELECT"},
    {0x006, "VOTE"},
    {0x086, "VOTEU"},
    {0x1a1, "MATCH"},
    {0x1c8, "USETMAXREG"},
});

} // namespace

std::span<const Opcode> known_opcodes()
{
    return opcodes;
}

const Opcode* opcode_of(uint64_t low)
{
    constexpr uint64_t telling = 0x1ff;
    const auto found = std::ranges::find(opcodes, low & telling, &Opcode::bits);
    return found == opcodes.end() ? nullptr : &*found;
}

} // namespace cuda
