// The element type of A and B (a stage's parameter TYPE), or of C (TYPE_C). Sums are always FP32.
#pragma once

enum Type : int { type_fp32, type_tf32, type_fp16, type_bf16 };
