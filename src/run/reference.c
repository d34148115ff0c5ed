/* References by name. A reference reads the launch before the kernel runs and computes the expected contents of the
 * checked buffer. Sums are of small whole numbers and therefore exact, so no tolerance is needed. */
#include "run/reference.h"
#include "base/arena.h"
#include "ptx/element.h"
#include "run/host.h"
#include "trace/limits.h"
#include <string.h>

static int32_t scalar(const struct launch *launch, uint32_t argument)
{
    return (int32_t)(uint32_t)launch->arguments[argument].bits;
}

static const struct launch_buffer *buffer(const struct launch *launch, uint32_t argument)
{
    return &launch->buffers[launch->arguments[argument].buffer];
}

bool reference_is_real(enum ptx_type type)
{
    return ptx_is_real(type);
}

double reference_element(enum ptx_type type, const void *data, uint64_t index)
{
    switch (type) {
#define ELEMENT(name, c_type)                                                                                          \
    case name:                                                                                                         \
        return (double)((const c_type *)data)[index];
#define SMALL(name, c_type)                                                                                            \
    case name:                                                                                                         \
        return ptx_real(type, ((const c_type *)data)[index]);
        ELEMENT(PTX_U8, uint8_t)
        ELEMENT(PTX_B1, uint8_t)
        ELEMENT(PTX_U16, uint16_t)
        ELEMENT(PTX_S8, int8_t)
        ELEMENT(PTX_S16, int16_t)
        SMALL(PTX_F16, uint16_t)
        SMALL(PTX_BF16, uint16_t)
        SMALL(PTX_E4M3, uint8_t)
        SMALL(PTX_E5M2, uint8_t)
        ELEMENT(PTX_S32, int32_t)
        ELEMENT(PTX_U32, uint32_t)
        ELEMENT(PTX_S64, int64_t)
        ELEMENT(PTX_U64, uint64_t)
        ELEMENT(PTX_F32, float)
#undef ELEMENT
#undef SMALL
    default:
        return ((const double *)data)[index];
    }
}

void reference_store(enum ptx_type type, void *data, uint64_t index, double value)
{
    switch (type) {
#define STORE(name, c_type)                                                                                            \
    case name:                                                                                                         \
        ((c_type *)data)[index] = (c_type)value;                                                                       \
        return;
        STORE(PTX_F32, float)
        STORE(PTX_F64, double)
#undef STORE
#define STORE(name, c_type)                                                                                            \
    case name:                                                                                                         \
        ((c_type *)data)[index] = (c_type)ptx_real_bits(type, value);                                                  \
        return;
        STORE(PTX_F16, uint16_t)
        STORE(PTX_BF16, uint16_t)
        STORE(PTX_E4M3, uint8_t)
        STORE(PTX_E5M2, uint8_t)
#undef STORE
#define STORE(name, c_type)                                                                                            \
    case name:                                                                                                         \
        ((c_type *)data)[index] = (c_type)(int64_t)value;                                                              \
        return;
        STORE(PTX_U8, uint8_t)
        STORE(PTX_B1, uint8_t)
        STORE(PTX_S8, int8_t)
        STORE(PTX_S16, int16_t)
        STORE(PTX_U16, uint16_t)
        STORE(PTX_S32, int32_t)
        STORE(PTX_U32, uint32_t)
        STORE(PTX_S64, int64_t)
        STORE(PTX_U64, uint64_t)
#undef STORE
    default:
        return;
    }
}

static double element(const struct launch_buffer *from, uint64_t index)
{
    return reference_element(from->type, from->data, index);
}

/* Arguments: out, in, stride, padding, size, rounds. Every block adds up the same 32 elements `rounds` times, or copies
 * them. */
static void banks(const struct launch *launch, void *expected, int add)
{
    const struct launch_buffer *out = buffer(launch, 0), *in = buffer(launch, 1);
    int64_t const stride = scalar(launch, 2), padding = scalar(launch, 3), size = scalar(launch, 4);
    double const times = add ? scalar(launch, 5) : 1;
    uint64_t const parts = in->count / (uint64_t)size; /* 2 for a double2 */
    for (uint64_t i = 0; i < out->count / parts; i++) {
        int64_t const straight = (int64_t)(i % launch->block[0] % 32) * stride;
        uint64_t const index = (uint64_t)(straight + straight / 32 * padding);
        for (uint64_t part = 0; part < parts; part++)
            reference_store(out->type, expected, i * parts + part, times * element(in, index * parts + part));
    }
}

static void adjdiff(const struct launch *launch, void *expected, int way)
{
    (void)way;
    adjdiff_host(expected, buffer(launch, 1)->data, scalar(launch, 2));
}

enum tree_order { TREE_NEIGHBOURS, TREE_HALVES, TREE_TWO, TREE_ALL };

/* Arguments: sums, in. Each block adds up its floats as a tree, in the order of the kernels of reduction_steps.cu: so
 * the sums are equal bit by bit even where they are not exact. TREE_ALL adds the sums of the blocks, too. */
static void sum_tree(const struct launch *launch, void *expected, int order)
{
    float *sums = expected;
    bool const neighbours = order == TREE_NEIGHBOURS;
    uint32_t const loads = order >= TREE_TWO ? 2 : 1;
    bool const all = order == TREE_ALL;
    const struct launch_buffer *from = buffer(launch, 1);
    const float *in = from->data;
    uint32_t const threads = launch->block[0];
    float part[LAUNCH_THREADS_MAX] = {0};
    if (from->type != PTX_F32 || threads > LAUNCH_THREADS_MAX)
        return;
    uint64_t const blocks = all ? launch->grid[0] : buffer(launch, 0)->count;
    for (uint64_t block = 0; block < blocks && (block + 1) * loads * threads <= from->count; block++) {
        for (uint32_t t = 0; t < threads; t++) {
            part[t] = in[block * loads * threads + t];
            for (uint32_t k = 1; k < loads; k++)
                part[t] += in[(block * loads + k) * threads + t];
        }
        for (uint32_t step = 1; neighbours && step < threads; step *= 2)
            for (uint32_t t = 0; t + step < threads; t += 2 * step)
                part[t] += part[t + step];
        for (uint32_t half = threads / 2; !neighbours && half > 0; half /= 2)
            for (uint32_t t = 0; t < half; t++)
                part[t] += part[t + half];
        sums[all ? 0 : block] = part[0] + (all && block ? sums[0] : 0);
    }
}

enum scan_order { SCAN_HILLIS, SCAN_BLELLOCH, SCAN_WARPS };
enum { SCAN_MOST = LAUNCH_THREADS_MAX };

/* Replaces n numbers by their sums up to each place, in the order of Hillis and Steele. */
static void scan_hillis_steele(float *numbers, uint32_t n)
{
    for (uint32_t offset = 1; offset < n; offset *= 2)
        for (uint32_t t = n; t-- > offset;) /* downwards: no sum of this step is read */
            numbers[t] += numbers[t - offset];
}

/* Replaces n numbers, a power of two, by the sums before each place, in the order of Blelloch. */
static void scan_up_and_down(float *numbers, uint32_t n)
{
    for (uint32_t offset = 1; offset < n; offset *= 2)
        for (uint32_t right = 2 * offset - 1; right < n; right += 2 * offset)
            numbers[right] += numbers[right - offset];
    numbers[n - 1] = 0;
    for (uint32_t offset = n / 2; offset > 0; offset /= 2)
        for (uint32_t right = 2 * offset - 1; right < n; right += 2 * offset) {
            float const sum = numbers[right - offset];
            numbers[right - offset] = numbers[right];
            numbers[right] += sum;
        }
}

/* Arguments: out, in. Each block scans its floats in the order of a kernel of scan.cu: so the sums are equal bit by bit
 * even where they are not exact. */
static void scan_blocks(const struct launch *launch, void *expected, int order)
{
    float *out = expected;
    const struct launch_buffer *from = buffer(launch, 1);
    uint32_t const n = launch->block[0] * (order == SCAN_BLELLOCH ? 2 : 1);
    if (from->type != PTX_F32 || n == 0 || n > SCAN_MOST || n & (n - 1))
        return;
    for (uint64_t first = 0; first + n <= from->count && first + n <= buffer(launch, 0)->count; first += n) {
        float *numbers = out + first, totals[SCAN_MOST / WARP_LANES] = {0};
        uint32_t const warps = n / WARP_LANES;
        memcpy(numbers, (const float *)from->data + first, n * sizeof *numbers);
        if (order == SCAN_HILLIS)
            scan_hillis_steele(numbers, n);
        if (order == SCAN_BLELLOCH)
            scan_up_and_down(numbers, n);
        for (uint32_t warp = 0; order == SCAN_WARPS && warp < warps; warp++) {
            scan_hillis_steele(numbers + (size_t)warp * WARP_LANES, WARP_LANES);
            totals[warp] = numbers[warp * WARP_LANES + WARP_LANES - 1];
        }
        scan_hillis_steele(totals, warps);
        for (uint32_t t = WARP_LANES; order == SCAN_WARPS && t < n; t++)
            numbers[t] += totals[t / WARP_LANES - 1];
    }
}

/* Arguments: c, a, b, n. */
static void matmul(const struct launch *launch, void *expected, int way)
{
    (void)way;
    const struct launch_buffer *c = buffer(launch, 0), *a = buffer(launch, 1), *b = buffer(launch, 2);
    uint64_t const n = scalar(launch, 3) > 0 ? (uint64_t)scalar(launch, 3) : 0;
    if (n == 0 || n * n > a->count || n * n > b->count || c->count % n != 0 || c->count > n * n)
        return; /* no launch of ours */
    struct arena arena = {0};
    double *sums = arena_array(&arena, double, n), *factors = arena_array(&arena, double, n *n);
    for (uint64_t i = 0; i < n * n; i++)
        factors[i] = element(b, i);
    for (uint64_t row = 0; row < c->count / n; row++) {
        memset(sums, 0, n * sizeof *sums);
        for (uint64_t k = 0; k < n; k++) { /* a whole row at once: b is read in its order */
            double const left = element(a, row * n + k);
            for (uint64_t column = 0; column < n; column++)
                sums[column] += left * factors[k * n + column];
        }
        for (uint64_t column = 0; column < n; column++)
            reference_store(c->type, expected, row * n + column, sums[column]);
    }
    arena_free(&arena);
}

static int64_t clamped(int64_t place, int64_t count)
{
    return place < 0 ? 0 : place < count ? place : count - 1;
}

/* Returns the sums of the windows around the pixels of one row, in `sums`: first of each column, then of neighbouring
 * columns. A place beyond an edge counts as the nearest pixel of the edge. */
static void window_sums(const struct launch *launch, int64_t y, double *columns, double *sums)
{
    const struct launch_buffer *in = buffer(launch, 1);
    int64_t const width = scalar(launch, 2), height = scalar(launch, 3), radius = scalar(launch, 4) / 2;
    for (int64_t x = 0; x < width; x++) {
        columns[x] = 0;
        for (int64_t row = y - radius; row <= y + radius; row++)
            columns[x] += element(in, (uint64_t)(clamped(row, height) * width + x));
    }
    for (int64_t x = 0; x < width; x++) {
        sums[x] = 0;
        for (int64_t column = x - radius; column <= x + radius; column++)
            sums[x] += columns[clamped(column, width)];
    }
}

/* Fills the expected pixels from the sums of their windows. Arguments: out, in, width, height, window. With
 * `threshold`, 255 for a pixel that is less than 8 levels darker than the mean of its window, else 0 (compares whole
 * numbers); otherwise the mean. */
static void windows(const struct launch *launch, void *expected, int threshold)
{
    enum { BELOW = 8, WHITE = 255 };
    int64_t const width = scalar(launch, 2), height = scalar(launch, 3), window = scalar(launch, 4);
    double const pixels = (double)(window * window);
    struct arena arena = {0};
    if (width <= 0)
        return;
    double *columns = arena_array(&arena, double, (size_t)width);
    double *sums = arena_array(&arena, double, (size_t)width);
    for (int64_t y = 0; y < height; y++) {
        window_sums(launch, y, columns, sums);
        for (int64_t x = 0; x < width; x++) {
            uint64_t const i = (uint64_t)(y * width + x);
            bool const is_paper = element(buffer(launch, 1), i) * pixels > sums[x] - BELOW * pixels;
            reference_store(buffer(launch, 0)->type, expected, i, !threshold ? sums[x] / pixels : is_paper ? WHITE : 0);
        }
    }
    arena_free(&arena);
}

/* Arguments: result, in, n, bins, copies. Counts the values of each bin, or adds them up, on top of what is there. */
static void histogram(const struct launch *launch, void *expected, int sums)
{
    const struct launch_buffer *result = buffer(launch, 0), *in = buffer(launch, 1);
    uint64_t const bins = (uint64_t)scalar(launch, 3);
    for (uint64_t i = 0; i < result->count; i++)
        reference_store(result->type, expected, i, element(result, i));
    for (uint64_t i = 0; i < (uint64_t)scalar(launch, 2) && i < in->count; i++) {
        double const value = element(in, i);
        uint64_t const bin = (uint64_t)value * bins / 256;
        if (bin < result->count)
            reference_store(result->type, expected, bin,
                            reference_element(result->type, expected, bin) + (sums ? value : 1));
    }
}

/* Of caches.cu. Arguments: out, a, b, count, step. */
static void sum_again(const struct launch *launch, void *expected, int rounds)
{
    enum { LINE = 32 };
    const struct launch_buffer *out = buffer(launch, 0), *a = buffer(launch, 1), *b = buffer(launch, 2);
    uint64_t const count = (uint64_t)scalar(launch, 3), step = (uint64_t)scalar(launch, 4), threads = launch->block[0];
    for (uint64_t i = 0; i < out->count; i++) {
        double sum = 0;
        for (uint64_t k = i % threads; k < count; k += threads)
            sum += element(a, (i / threads * (count / LINE) + k / LINE) * step + k % LINE);
        reference_store(out->type, expected, i, rounds * element(b, i % threads) * sum);
    }
}

/* Of caches.cu. Arguments: out, a, b, rows, length: out[i] is the product of row i of a and row i of b. For pairs: out,
 * a, b, length, band: out[i][j] is that of row i of a and row j of b. */
static void row_products(const struct launch *launch, void *expected, int pairs)
{
    const struct launch_buffer *out = buffer(launch, 0), *a = buffer(launch, 1), *b = buffer(launch, 2);
    uint64_t const count = pairs ? launch->grid[0] : (uint64_t)scalar(launch, 3);
    uint64_t const length = (uint64_t)scalar(launch, pairs ? 3 : 4);
    for (uint64_t i = 0; i < (pairs ? count * count : count); i++) {
        uint64_t const left = pairs ? i / count : i, right = pairs ? i % count : i;
        double sum = 0;
        for (uint64_t k = 0; k < length; k++)
            sum += element(a, left * length + k) * element(b, right * length + k);
        reference_store(out->type, expected, i, sum);
    }
}

/* The first argument is the buffer that a reference computes. */
static const struct {
    const char *name, *arguments; /* b: buffer, i: 32-bit integer */
    void (*compute)(const struct launch *launch, void *expected, int way);
    int way;
} references[] = {{"banks_load", "bbiiii", banks, true},
                  {"banks_store", "bbiiii", banks, false},
                  {"adjdiff", "bbi", adjdiff, 0},
                  {"reduction_neighbours", "bb", sum_tree, TREE_NEIGHBOURS},
                  {"reduction_halves", "bb", sum_tree, TREE_HALVES},
                  {"reduction_two", "bb", sum_tree, TREE_TWO},
                  {"reduction_all", "bb", sum_tree, TREE_ALL},
                  {"scan_hillis", "bb", scan_blocks, SCAN_HILLIS},
                  {"scan_blelloch", "bb", scan_blocks, SCAN_BLELLOCH},
                  {"scan_warps", "bb", scan_blocks, SCAN_WARPS},
                  {"matmul", "bbbi", matmul, 0},
                  {"mean", "bbiii", windows, 0},
                  {"threshold", "bbiii", windows, 1},
                  {"sum_again", "bbbii", sum_again, 4},
                  {"row_products", "bbbii", row_products, false},
                  {"pair_products", "bbbii", row_products, true},
                  {"histogram_counts", "bbiii", histogram, false},
                  {"histogram_sums", "bbiii", histogram, true}};
enum { REFERENCE_COUNT = sizeof references / sizeof references[0] };

static int find(const char *name)
{
    for (int i = 0; i < REFERENCE_COUNT; i++)
        if (strcmp(references[i].name, name) == 0)
            return i;
    return -1;
}

bool reference_known(const char *name)
{
    return find(name) >= 0;
}

bool reference_compute(const char *name, const struct launch *launch, uint32_t checked, void *expected,
                       struct error *error)
{
    int const index = find(name);
    bool fits = index >= 0 && strlen(references[index].arguments) == launch->argument_count;
    for (uint32_t i = 0; fits && i < launch->argument_count; i++) {
        const struct launch_argument *argument = &launch->arguments[i];
        fits = references[index].arguments[i] == 'b' ? argument->is_buffer
                                                     : !argument->is_buffer && ptx_type_size(argument->type) == 4;
    }
    if (!fits || launch->arguments[0].buffer != checked)
        return error_set(error, ERROR_INPUT, "the reference \"%s\" does not fit the arguments of kernel %s", name,
                         launch->kernel);
    references[index].compute(launch, expected, references[index].way);
    return true;
}

bool reference_loop_known(const char *name)
{
    return strcmp(name, "adjdiff") == 0;
}

bool reference_loop(const char *name, const struct launch *launch, struct error *error)
{
    if (!reference_loop_known(name))
        return error_set(error, ERROR_INPUT, "there is no host loop \"%s\"", name);
    const struct launch_buffer *out = buffer(launch, 0);
    adjdiff_host(out->data, buffer(launch, 1)->data, scalar(launch, 2));
    return true;
}
