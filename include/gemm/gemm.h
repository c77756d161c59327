/* SPDX-License-Identifier: BSL-1.0 */
/**
 * @file
 * The C interface of the compiled library: C = epilogue(alpha A B + beta C). C99; needs no header of CUDA.
 *
 * Every struct begins with its size, struct_size, which the functions gemm_row_major(), gemm_default_epilogue(),
 * gemm_default_call() and the like set. A size that the library does not know is refused. Members are added at the end
 * alone, and with them the library accepts all earlier sizes.
 *
 * Functions that may fail return a gemm_code, 0 for success, and fill a gemm_status where it is given. Pointers to
 * elements are of device memory. All functions may be called by several threads at once.
 */
#ifndef GEMM_GEMM_H
#define GEMM_GEMM_H

#include <stddef.h>
#include <stdint.h>
#include <gemm/version.hpp>

#if defined(__GNUC__)
/** What the library exports. */
#define GEMM_API __attribute__((visibility("default")))
#else
#define GEMM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The type of elements. Members of structs that have one are int32_t, as for all enumerations here. */
typedef enum gemm_type {
  GEMM_FLOAT = 1,    /**< float */
  GEMM_TF32 = 2,     /**< floats that are rounded to TF32 before they are multiplied; of A and B */
  GEMM_DOUBLE = 3,   /**< double */
  GEMM_HALF = 4,     /**< CUDA's __half */
  GEMM_BFLOAT16 = 5, /**< CUDA's __nv_bfloat16 */
  GEMM_E4M3 = 6,     /**< CUDA's __nv_fp8_e4m3 */
  GEMM_E5M2 = 7,     /**< CUDA's __nv_fp8_e5m2 */
  GEMM_INT8 = 8,     /**< int8_t */
  GEMM_INT32 = 9     /**< of C and its bias and residual */
} gemm_type;

/** Which elements are neighbours in memory. */
typedef enum gemm_order {
  GEMM_ROW_MAJOR = 1,   /**< those of a row */
  GEMM_COLUMN_MAJOR = 2 /**< those of a column */
} gemm_order;

/** What the scales of an operand are for: floats in device memory, doubles for a matrix of doubles. */
typedef enum gemm_scale_kind {
  GEMM_NO_SCALES = 0,          /**< none */
  GEMM_SCALE_PER_MATRIX = 1,   /**< one number */
  GEMM_SCALE_PER_ROW = 2,      /**< one number a row, of A */
  GEMM_SCALE_PER_COLUMN = 3,   /**< one number a column, of B */
  GEMM_SCALE_PER_1_X_128 = 4,  /**< a matrix of A: one number for 128 of k of a row */
  GEMM_SCALE_PER_128_X_1 = 5,  /**< a matrix of B: one number for 128 of k of a column */
  GEMM_SCALE_PER_128_X_128 = 6 /**< a matrix: one number a block of 128 of k and 128 rows of A or columns of B */
} gemm_scale_kind;

/** Which sizes of products lie in device memory: see ragged_rows() and its like in gemm/ragged.hpp. */
typedef enum gemm_group_kind {
  GEMM_NO_GROUPS = 0,      /**< none */
  GEMM_RAGGED_ROWS = 1,    /**< m: the rows of A and C, to before each end; B is a batch, or one matrix for all */
  GEMM_MASKED_ROWS = 2,    /**< m: the first rows of each matrix of the batches A and C, as many as each count says */
  GEMM_RAGGED_COLUMNS = 3, /**< n: the columns of B and C, to before each end; A is a batch, or one matrix for all */
  GEMM_RAGGED_K = 4        /**< k: the columns of A and the rows of B, to before each end; C is a batch */
} gemm_group_kind;

/** Which values a bias has. */
typedef enum gemm_bias_kind {
  GEMM_NO_BIAS = 0,         /**< none */
  GEMM_BIAS_PER_COLUMN = 1, /**< one a column of C */
  GEMM_BIAS_PER_ROW = 2     /**< one a row of C */
} gemm_bias_kind;

/** The activations; docs/epilogues.md has what they do with NaN and infinities. */
typedef enum gemm_activation {
  GEMM_NO_ACTIVATION = 0, /**< the value as it is */
  GEMM_RELU = 1,          /**< max(value, 0) */
  GEMM_GELU = 2,          /**< value * Phi(value), Phi the normal distribution function */
  GEMM_GELU_TANH = 3,     /**< gelu's approximation by the hyperbolic tangent */
  GEMM_SILU = 4,          /**< value * sigmoid(value) */
  GEMM_SIGMOID = 5        /**< 1 / (1 + exp(-value)) */
} gemm_activation;

/** The kinds of failure, by the remedy. */
typedef enum gemm_code {
  GEMM_SUCCESS = 0,            /**< the work was enqueued, or there is none to do */
  GEMM_INVALID_ARGUMENT = 1,   /**< a descriptor breaks a rule, or its types are not compiled */
  GEMM_UNSUPPORTED_DEVICE = 2, /**< the device lacks what the product needs */
  GEMM_CUDA_FAILURE = 3,       /**< the CUDA runtime refused a call */
  GEMM_FILE_FAILURE = 4        /**< a tuning cache cannot be read */
} gemm_code;

/** The outcome of a call. To be passed with struct_size set: `gemm_status status = {sizeof(status)};` */
typedef struct gemm_status {
  size_t struct_size; /**< sizeof the struct */
  int32_t code;       /**< a gemm_code */
  int32_t cuda_error; /**< the cudaError_t where code is GEMM_CUDA_FAILURE, else 0 */
  char message[256];  /**< one sentence without a full stop: the argument, its value, the rule; empty on success */
} gemm_status;

/**
 * A rows x columns matrix in device memory, or batch_count of them, batch_stride elements apart. As an operand it is
 * only read, and may have scales. Made by gemm_row_major() and gemm_col_major().
 */
typedef struct gemm_matrix {
  size_t struct_size;   /**< sizeof the struct */
  void* data;           /**< the first element; null where there is nothing to read */
  int32_t type;         /**< a gemm_type */
  int32_t order;        /**< a gemm_order */
  int64_t rows;         /**< 0 or more */
  int64_t columns;      /**< 0 or more */
  int64_t ld;           /**< elements between the starts of two rows, or two columns where column-major */
  int64_t batch_count;  /**< 1 for a single matrix; an operand of 1 serves all products of a batch */
  int64_t batch_stride; /**< elements between two matrices; of operands, 0 uses one for all products */
  void const* scales;   /**< the first scale */
  int64_t scale_count;  /**< how many there are, which is checked; negative: not said. Not of a matrix of scales */
  int64_t scale_batch_stride; /**< numbers from a product's scales to those of the next; 0: all have the same */
  int32_t scale_kind;         /**< a gemm_scale_kind */
  int32_t scale_order;        /**< of a matrix of scales: a gemm_order */
  int64_t scale_rows;         /**< of a matrix of scales: of A m or ceil(m / 128), of B ceil(k / 128) */
  int64_t scale_columns;      /**< of a matrix of scales: of A ceil(k / 128), of B n or ceil(n / 128) */
  int64_t scale_ld;           /**< of a matrix of scales: its leading dimension */
} gemm_matrix;

/**
 * The epilogue. With x = alpha A B + beta C, the scales of A and B included, its steps are, in this order:
 * x + bias; activation(x); x + residual_factor * residual; amax, the greatest magnitude; x * scale * *scale_at.
 * They are computed in float, for doubles in double: sums of int8 are exact below 2^24, and without an epilogue always.
 * The scales of A and B are multiplied first: their product must be a number of their type.
 */
typedef struct gemm_epilogue {
  size_t struct_size;          /**< sizeof the struct */
  void const* bias;            /**< in device memory */
  int64_t bias_count;          /**< how many values there are, which is checked; negative: not said */
  int32_t bias_kind;           /**< a gemm_bias_kind */
  int32_t bias_type;           /**< C's type, but GEMM_FLOAT for a C of int8, int32 or fp8 */
  int32_t activation;          /**< a gemm_activation */
  int32_t reserved;            /**< 0 */
  gemm_matrix const* residual; /**< null: none. Of C's shape and type; may be C; not beside scales and beta */
  double residual_factor;      /**< of the residual */
  double scale;                /**< of the value; 1 changes nothing */
  void const* scale_at;        /**< null, or one float in device memory; a double for a C of doubles */
  float* amax;                 /**< null, or one float in device memory, which the call sets */
} gemm_epilogue;

/** The arguments of a product. Made by gemm_default_call(). */
typedef struct gemm_call {
  size_t struct_size;            /**< sizeof the struct */
  gemm_matrix const* a;          /**< m x k */
  gemm_matrix const* b;          /**< k x n */
  gemm_matrix const* c;          /**< m x n: read where beta is not 0, and written */
  double alpha;                  /**< converted to the accumulator's type: an int32_t for int8, which must hold it */
  double beta;                   /**< likewise; with 0, C is not read */
  gemm_epilogue const* epilogue; /**< null: none */
  void* stream;                  /**< a cudaStream_t, whose device computes; null: the default stream */
  void* workspace;               /**< null, or device memory at a multiple of 16 bytes: see gemm_workspace_size() */
  size_t workspace_bytes;        /**< its size */
  int32_t constant_a;            /**< 1 promises that A is complete: see constant_a in gemm/options.hpp */
  int32_t constant_b;            /**< the same promise for B */
  int32_t group_kind;            /**< a gemm_group_kind; what follows is read unless it is GEMM_NO_GROUPS */
  int32_t group_bytes;           /**< 4: ends and counts are int32_t; 8: int64_t */
  int64_t group_count;           /**< products */
  void const* group_ends;        /**< in device memory: the end of each product's range, or its count of rows */
  int32_t zero_rest;             /**< 1: rows, or columns, of C that belong to no product become 0 */
  int32_t reserved;              /**< 0 */
} gemm_call;

/** The plan that gemm_run() follows. To be passed with struct_size set. */
typedef struct gemm_choice {
  size_t struct_size; /**< sizeof the struct */
  double seconds;     /**< predicted, or measured where the plan is tuned; 0 where there is nothing to compute */
  double waves;       /**< blocks over the CTA slots of the device */
  int32_t slices;     /**< of k */
  int32_t in_cluster; /**< 1: slices are reduced in a cluster, not from a workspace */
  int32_t tail;       /**< 1: slices of the last tiles alone */
  int32_t packs_a;    /**< 1: A is packed first */
  int32_t packs_b;    /**< 1: B is packed first */
  int32_t is_tuned;   /**< 1: the plan is a loaded one */
  char policy[128];   /**< the kernel's name; empty where there is nothing to compute */
  char note[256];     /**< code that the library lacks and faster policies need; empty: none */
} gemm_choice;

/** The report of gemm_load_tuning(). To be passed with struct_size set. */
typedef struct gemm_tuning_report {
  size_t struct_size;   /**< sizeof the struct */
  int32_t plans;        /**< plans that gemm_run() follows from now on */
  int32_t foreign;      /**< plans for other GPUs than this process has */
  int32_t ignored;      /**< records that cannot be read */
  int32_t reserved;     /**< 0 */
  char first_wrong[96]; /**< what is wrong with the first of them */
} gemm_tuning_report;

/**
 * Computes C = epilogue(alpha A B + beta C), enqueued on the stream. Arithmetic, lifetimes and special cases are those
 * of gemm::run() in gemm/run.cuh, and so are the messages.
 *
 * @param call  copied; the device memory that it names must live until the stream has done the work
 * @param status  null, or filled
 * @return a gemm_code. Unless it is GEMM_SUCCESS, nothing was launched or written, but see GEMM_CUDA_FAILURE in
 *     gemm::status
 */
GEMM_API int gemm_run(gemm_call const* call, gemm_status* status);

/** The code and status that gemm_run() would have with these arguments, short of the launch itself. */
GEMM_API int gemm_can_run(gemm_call const* call, gemm_status* status);

/** Sets *bytes to the workspace that gemm_run() uses, whichever is given; 0 where it needs none or would refuse. */
GEMM_API int gemm_workspace_size(gemm_call const* call, size_t* bytes, gemm_status* status);

/** Sets *choice to the plan that gemm_run() would follow; empty where there is nothing to compute. */
GEMM_API int gemm_chosen(gemm_call const* call, gemm_choice* choice, gemm_status* status);

/** A gemm_code in words; lives forever. */
GEMM_API char const* gemm_code_text(int code);

/** GEMM_VERSION of the library that is linked. */
GEMM_API int gemm_version(void);

/** GEMM_VERSION_STRING of the library that is linked. */
GEMM_API char const* gemm_version_string(void);

/** What is compiled, a line each: "float x float -> float, row x row". Lives forever; C may have either order. */
GEMM_API char const* gemm_compiled_products(void);

/**
 * Loads the plans of a tuning cache: from then on gemm_run() follows them.
 *
 * @param path  null: that of the environment's GEMM_TUNING_CACHE
 * @param report  null, or filled on success
 * @param status  null, or filled
 */
GEMM_API int gemm_load_tuning(char const* path, gemm_tuning_report* report, gemm_status* status);

/** Forgets all plans that were loaded. */
GEMM_API void gemm_forget_tuning(void);

/** A row-major matrix without gaps between its rows. Set `ld` for one with gaps. */
static inline gemm_matrix gemm_row_major(void const* data, gemm_type type, int64_t rows, int64_t columns) {
  gemm_matrix m;
  m.struct_size = sizeof(m);
  m.data = (void*)data;
  m.type = (int32_t)type;
  m.order = (int32_t)GEMM_ROW_MAJOR;
  m.rows = rows;
  m.columns = columns;
  m.ld = columns > 1 ? columns : 1;
  m.batch_count = 1;
  m.batch_stride = 0;
  m.scales = NULL;
  m.scale_count = -1;
  m.scale_batch_stride = 0;
  m.scale_kind = (int32_t)GEMM_NO_SCALES;
  m.scale_order = 0;
  m.scale_rows = 0;
  m.scale_columns = 0;
  m.scale_ld = 0;
  return m;
}

/** A column-major matrix without gaps between its columns. */
static inline gemm_matrix gemm_col_major(void const* data, gemm_type type, int64_t rows, int64_t columns) {
  gemm_matrix m = gemm_row_major(data, type, rows, columns);
  m.order = (int32_t)GEMM_COLUMN_MAJOR;
  m.ld = rows > 1 ? rows : 1;
  return m;
}

/** An epilogue that changes nothing, to be filled. */
static inline gemm_epilogue gemm_default_epilogue(void) {
  gemm_epilogue e;
  e.struct_size = sizeof(e);
  e.bias = NULL;
  e.bias_count = -1;
  e.bias_kind = (int32_t)GEMM_NO_BIAS;
  e.bias_type = (int32_t)GEMM_FLOAT;
  e.activation = (int32_t)GEMM_NO_ACTIVATION;
  e.reserved = 0;
  e.residual = NULL;
  e.residual_factor = 1;
  e.scale = 1;
  e.scale_at = NULL;
  e.amax = NULL;
  return e;
}

/** The product C = A B on the default stream, to be filled with alpha, beta and all behind them. */
static inline gemm_call gemm_default_call(gemm_matrix const* a, gemm_matrix const* b, gemm_matrix const* c) {
  gemm_call call;
  call.struct_size = sizeof(call);
  call.a = a;
  call.b = b;
  call.c = c;
  call.alpha = 1;
  call.beta = 0;
  call.epilogue = NULL;
  call.stream = NULL;
  call.workspace = NULL;
  call.workspace_bytes = 0;
  call.constant_a = 0;
  call.constant_b = 0;
  call.group_kind = (int32_t)GEMM_NO_GROUPS;
  call.group_bytes = 4;
  call.group_count = 0;
  call.group_ends = NULL;
  call.zero_rest = 0;
  call.reserved = 0;
  return call;
}

#ifdef __cplusplus
}
#endif

#endif
