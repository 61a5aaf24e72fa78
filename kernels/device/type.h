// What A and B are made of, as a stage's parameter TYPE, or C (TYPE_C). Sums are always FP32.
#pragma once

enum Type : int { type_fp32, type_tf32, type_fp16, type_bf16 };
