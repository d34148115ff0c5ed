#include "ptx/element.h"
#include <math.h>
#include <string.h>

static const struct small {
    enum ptx_type type;
    int exponent, fraction;  /* bits */
    uint32_t largest, above; /* the largest finite number, and what a larger one becomes */
    uint32_t nan;
} smalls[] = {{PTX_F16, 5, 10, 0x7bff, 0x7c00, 0x7fff},
              {PTX_BF16, 8, 7, 0x7f7f, 0x7f80, 0x7fff},
              {PTX_E4M3, 4, 3, 0x7e, 0x7e, 0x7f},
              {PTX_E5M2, 5, 2, 0x7b, 0x7b, 0x7f}};

static const struct small *small_of(enum ptx_type type)
{
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++)
        if (smalls[i].type == type)
            return &smalls[i];
    return NULL;
}

bool ptx_is_small_real(enum ptx_type type)
{
    return small_of(type) != NULL;
}

bool ptx_is_real(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F64 || small_of(type);
}

double ptx_real(enum ptx_type type, uint64_t bits)
{
    const struct small *small = small_of(type);
    uint32_t const word = (uint32_t)bits;
    float single;
    double number;
    memcpy(&single, &word, sizeof single);
    memcpy(&number, &bits, sizeof number);
    if (!small)
        return type == PTX_F32 ? (double)single : number;
    int const width = small->exponent + small->fraction;
    uint32_t const size = word & ((1u << width) - 1), fraction = size & ((1u << small->fraction) - 1);
    int const exponent = (int)(size >> small->fraction), least = 2 - (1 << (small->exponent - 1));
    number = exponent ? ldexp(fraction + (1u << small->fraction), exponent - 1 + least - small->fraction)
                      : ldexp(fraction, least - small->fraction);
    if (size > small->largest)
        number = type != PTX_E4M3 && !fraction ? INFINITY : NAN;
    return word >> width & 1 ? -number : number;
}

static uint64_t small_bits(const struct small *small, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t const sign = bits >> 63 << (small->exponent + small->fraction);
    int const exponent = (int)(bits >> 52 & 0x7ff) - 1023, least = 2 - (1 << (small->exponent - 1));
    uint64_t const fraction = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (exponent == 1024)
        return number != number ? small->nan : sign | small->above;
    if (exponent < least - small->fraction - 1)
        return sign;
    int const shift = 52 - small->fraction + (exponent < least ? least - exponent : 0);
    uint64_t code = fraction >> shift;
    uint64_t const rest = fraction & ((UINT64_C(1) << shift) - 1), middle = UINT64_C(1) << (shift - 1);
    if (rest > middle || (rest == middle && (code & 1)))
        code++;
    if (exponent >= least) /* the leading one adds the last 1 of the biased exponent */
        code += (uint64_t)(exponent - least) << small->fraction;
    return sign | (code > small->largest ? small->above : code);
}

uint64_t ptx_real_bits(enum ptx_type type, double number)
{
    const struct small *small = small_of(type);
    float const single = (float)number;
    uint64_t bits = 0;
    if (small)
        return small_bits(small, number);
    if (type == PTX_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &number, sizeof number);
    return bits;
}
