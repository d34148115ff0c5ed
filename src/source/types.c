#include "source/types.h"
#include "ptx/element.h"
#include "source/constant.h"
#include <string.h>

enum { DEPTH_MOST = 8, FOLLOWED_MOST = 300, FIELDS_MOST = 64 };
static const uint64_t size_most = UINT64_C(1) << 40; /* no array that fits a GPU is larger */

struct source_types source_types_at(const struct source *source, uint32_t index)
{
    return (struct source_types){.source = source, .scope = {.index = index}};
}

/* ---- built-in types ---- */

static const struct built_in {
    const char *word;
    enum ptx_type type;
} built_ins[] = {{"char", PTX_S8},
                 {"short", PTX_S16},
                 {"int", PTX_S32},
                 {"long", PTX_S64},
                 {"longlong", PTX_S64},
                 {"uchar", PTX_U8},
                 {"ushort", PTX_U16},
                 {"uint", PTX_U32},
                 {"ulong", PTX_U64},
                 {"ulonglong", PTX_U64},
                 {"float", PTX_F32},
                 {"double", PTX_F64},
                 {"half", PTX_F16},
                 {"__half", PTX_F16},
                 {"_Float16", PTX_F16},
                 {"__nv_bfloat16", PTX_BF16},
                 {"__nv_fp8_e4m3", PTX_E4M3},
                 {"__nv_fp8_e5m2", PTX_E5M2},
                 {"bool", PTX_U8},
                 {"signed", PTX_S32},
                 {"unsigned", PTX_U32},
                 {"size_t", PTX_U64},
                 {"ssize_t", PTX_S64},
                 {"ptrdiff_t", PTX_S64},
                 {"intptr_t", PTX_S64},
                 {"uintptr_t", PTX_U64},
                 {"int8_t", PTX_S8},
                 {"uint8_t", PTX_U8},
                 {"int16_t", PTX_S16},
                 {"uint16_t", PTX_U16},
                 {"int32_t", PTX_S32},
                 {"uint32_t", PTX_U32},
                 {"int64_t", PTX_S64},
                 {"uint64_t", PTX_U64},
                 {"cudaTextureObject_t", PTX_U64},
                 {"cudaSurfaceObject_t", PTX_U64}};
enum { VECTORS = 14 }; /* the first ones have vectors: float4, __half2 */

/* Returns the type that a word names, or one with bytes 0. */
static struct source_type built_in(const struct source_token *word)
{
    struct source_type type = {.numbers = 1};
    if (word->kind != SOURCE_NAME)
        return type;
    char const last = word->text[word->length - 1];
    for (size_t i = 0; i < sizeof built_ins / sizeof *built_ins; i++) {
        size_t const length = strlen(built_ins[i].word);
        bool const whole = source_is(word, built_ins[i].word);
        bool const vector = i < VECTORS && word->length == length + 1 && last >= '1' && last <= '4' &&
                            memcmp(word->text, built_ins[i].word, length) == 0;
        if (!whole && !vector)
            continue;
        uint64_t const one = ptx_type_size(built_ins[i].type);
        type.type = built_ins[i].type;
        type.numbers = vector ? (unsigned)(last - '0') : 1;
        type.bytes = one * type.numbers;
        type.align = type.numbers == 3 ? one : type.bytes > 16 ? 16 : type.bytes;
        return type;
    }
    if (source_is(word, "dim3"))
        type = (struct source_type){.type = PTX_U32, .numbers = 3, .bytes = 12, .align = 4};
    else if (source_is(word, "__nv_bfloat162"))
        type = (struct source_type){.type = PTX_BF16, .numbers = 2, .bytes = 4, .align = 4};
    return type;
}

bool source_is_whole_word(const struct source_token *token)
{
    struct source_type const type = built_in(token);
    return type.bytes && type.numbers == 1 && !ptx_is_real(type.type);
}

bool source_is_built_in(const struct source_token *token)
{
    return built_in(token).bytes != 0;
}

/* Reads the words of a number: `unsigned long int`. */
static const struct source_token *read_number(const struct source_token *at, const struct source_token *end,
                                              struct source_type *type)
{
    static const char *const bases[] = {"char", "short", "int", "long", "signed", "unsigned", "double", "float"};
    enum { CHAR, SHORT, INT, LONG, SIGNED, UNSIGNED, DOUBLE, FLOAT, BASES };
    unsigned seen[BASES] = {0};
    for (; at < end && (SOURCE_IS_ONE_OF(at, bases) || source_is(at, "const") || source_is(at, "volatile")); at++)
        for (int i = 0; i < BASES; i++)
            seen[i] += source_is(at, bases[i]);
    bool const sign = !seen[UNSIGNED];
    type->type = seen[DOUBLE]  ? PTX_F64
                 : seen[FLOAT] ? PTX_F32
                 : seen[CHAR]  ? (sign ? PTX_S8 : PTX_U8)
                 : seen[SHORT] ? (sign ? PTX_S16 : PTX_U16)
                 : seen[LONG]  ? (sign ? PTX_S64 : PTX_U64)
                               : (sign ? PTX_S32 : PTX_U32);
    type->bytes = type->align = seen[DOUBLE] && seen[LONG] ? 0 : ptx_type_size(type->type);
    type->numbers = 1;
    return at;
}

/* ---- names of types ---- */

static const char *const attributes[] = {"__attribute__", "__launch_bounds__", "__align__",       "alignas",
                                         "__declspec",    "__maxnreg__",       "__cluster_dims__"};

const struct source_token *source_past_qualifiers(const struct source_token *at, const struct source_token *end)
{
    static const char *const words[] = {
        "const",       "volatile", "restrict",   "__restrict__", "__restrict", "__restrict",        "struct",
        "class",       "union",    "enum",       "typename",     "__shared__", "__constant__",      "__device__",
        "__managed__", "extern",   "static",     "inline",       "constexpr",  "__grid_constant__", "mutable",
        "register",    "typedef",  "__global__", "thread_local", "__host__",   "__forceinline__",   "__noinline__"};
    while (at < end) {
        if (SOURCE_IS_ONE_OF(at, words) || at->kind == SOURCE_TEXT)
            at++;
        else if (SOURCE_IS_ONE_OF(at, attributes) && at + 1 < end && source_is(at + 1, "("))
            at = source_closed(at + 1, end);
        else if (at + 1 < end && source_is(at, "[["))
            at = source_closed(at, end);
        else
            break;
    }
    return at;
}

static const struct source_token *read_structure(struct source_types *types, const struct source_token *at,
                                                 const struct source_token *end, struct source_type *type);

static const struct source_token *read_structure(struct source_types *types, const struct source_token *at,
                                                 const struct source_token *end, struct source_type *type);

/* Returns the end of a declaration: its semicolon, or `last`. */
static const struct source_token *declaration_end(const struct source_token *at, const struct source_token *last)
{
    enum { TOKENS_MOST = 1000 }; /* no declaration that a person wrote has more */
    last = last - at > TOKENS_MOST ? at + TOKENS_MOST : last;
    while (at < last && !source_is(at, ";"))
        at = source_is(at, "{") ? source_closed(at, last) : at + 1;
    return at;
}

/* Returns the type that `typedef` or `using`, whose end is known, gives the name; bytes 0: none, or not understood. */
static struct source_type alias_type(struct source_types *types, const struct source_token *at,
                                     const struct source_token *end, const struct source_token *name)
{
    struct source_type base, unknown = {.numbers = 1};
    struct source_declared declared;
    bool const uses = source_is(at, "using");
    at = source_type_read(types, at + (uses ? 3 : 1), end, &base);
    for (; at && at <= end; at++) {
        at = source_declarator_read(types, at, end, base, &declared);
        if (at && (uses || (declared.name && source_same(declared.name, name)))) {
            if (declared.inner && declared.function) /* a pointer to a function */
                return (struct source_type){.numbers = 1, .pointers = 1};
            return declared.dimensions || declared.inner || declared.function || declared.reference ? unknown
                                                                                                    : declared.type;
        }
        if (!at || !source_is(at, ","))
            break;
    }
    return unknown;
}

/* Returns whether the tokens of a typedef have the name where it declares it. */
static bool declares(const struct source_token *at, const struct source_token *end, const struct source_token *name)
{
    for (; at < end; at++)
        if (source_same(at, name) && at[1].kind == SOURCE_MARK && strchr(";,[)", *at[1].text))
            return true;
    return false;
}

/* Returns the word of a structure or an enum before its name and attributes. */
static const struct source_token *head_of(const struct source_token *name, const struct source_token *first)
{
    const struct source_token *head = name;
    do {
        head -= head > first;
        if (head > first + 1 && source_is(head, ")")) /* struct __align__(16) name */
            while (head > first && !SOURCE_IS_ONE_OF(head, attributes) && !source_is(head, ";"))
                head--;
    } while (head > first && SOURCE_IS_ONE_OF(head, attributes));
    return head;
}

/* Sets the type that this occurrence of a name defines. Returns false if it defines none. */
static bool read_definition(struct source_types *types, const struct source_token *at, struct source_type *type)
{
    static const char *const heads[] = {"struct", "class"};
    const struct source_token *first = types->source->tokens, *last = first + types->source->count;
    const struct source_token *head = head_of(at, first);
    bool const enumeration = source_is(head, "enum") || (head > first && source_is(head - 1, "enum"));
    if (enumeration && source_is(at + 1, "{"))
        *type = (struct source_type){.type = PTX_S32, .numbers = 1, .bytes = 4, .align = 4};
    else if (enumeration && source_is(at + 1, ":"))
        source_type_read(types, at + 2, last, type);
    else if (SOURCE_IS_ONE_OF(head, heads) && source_is(at + 1, "{"))
        read_structure(types, head + 1, last, type);
    else if (source_is(head, "using") && source_is(at + 1, "="))
        *type = alias_type(types, head, declaration_end(head, last), at);
    else
        return false;
    return true;
}

/* Returns the type that a word names in the source: a structure, an enum, or another name of a type. */
static struct source_type named_type(struct source_types *types, const struct source_token *word)
{
    const struct source_token *first = types->source->tokens, *last = first + types->source->count;
    struct source_type type = built_in(word);
    if (type.bytes || types->depth == DEPTH_MOST || types->followed++ > FOLLOWED_MOST)
        return type;
    types->depth++;
    for (const struct source_token *at = first; at < last && !type.bytes && !type.pointers; at++) {
        if (source_is(at, "typedef")) {
            const struct source_token *end = declaration_end(at, last);
            if (declares(at, end, word))
                type = alias_type(types, at, end, word);
        } else if (at > first && source_same(at, word) && read_definition(types, at, &type)) {
            break;
        }
    }
    types->depth--;
    return type;
}

/* Reads a name with its namespaces and template arguments. */
static const struct source_token *read_named(struct source_types *types, const struct source_token *at,
                                             const struct source_token *end, struct source_type *type)
{
    const struct source_macro *macro = source_macro_of(types->source, at, types->scope.index);
    if (macro && !macro->opaque && types->depth < DEPTH_MOST) {
        const struct source_token *close = macro->value + macro->count;
        struct source_type base;
        struct source_declared declared;
        types->depth++;
        const struct source_token *rest = source_type_read(types, macro->value, close, &base);
        rest = rest > macro->value ? source_declarator_read(types, rest, close, base, &declared) : NULL;
        types->depth--;
        if (rest == close && !declared.name && !declared.dimensions && !declared.inner && !declared.reference)
            *type = declared.type;
        return at + 1;
    }
    while (at + 3 < end && source_is(at + 1, "::") && at[3].kind == SOURCE_NAME)
        at += 3;
    const struct source_token *behind = at + 1;
    bool const template = behind < end && source_is(behind, "<");
    for (int depth = 0; template && behind < end; behind++) {
        depth += source_is(behind, "<") - source_is(behind, ">");
        if (depth == 0)
            break;
    }
    if (!template)
        *type = named_type(types, at);
    return template && behind < end ? behind + 1 : behind;
}

const struct source_token *source_type_read(struct source_types *types, const struct source_token *at,
                                            const struct source_token *end, struct source_type *type)
{
    const struct source_token *begin = at;
    *type = (struct source_type){.numbers = 1};
    at = source_past_qualifiers(at, end);
    at += at + 2 < end && source_is(at, "::") ? 2 : 0;
    if (at >= end || (at->kind != SOURCE_NAME && !source_is(at, "{")))
        return begin;
    bool const structured = at > begin && (source_is(at, "{") || (at + 1 < end && source_is(at + 1, "{"))) &&
                            !source_is(at - 1, "enum") && !source_is(at - 1, "union");
    if (structured)
        at = read_structure(types, begin, end, type);
    else if (built_in(at).bytes && built_in(at).numbers == 1 && read_number(at, end, type) > at)
        at = read_number(at, end, type);
    else
        at = read_named(types, at, end, type);
    return source_past_qualifiers(at, end);
}

/* ---- declared names ---- */

static const struct source_token *resolve(void *context, const struct source_token *name,
                                          const struct source_token *end, int64_t *value)
{
    struct source_types *types = context;
    if (!types->scope.names)
        types->scope.names = source_names_read(types->source);
    if (!source_is(name, "sizeof"))
        return source_scope_value(&types->scope, name, end, value);
    const struct source_token *close = source_closed(name + 1, end) - 1;
    struct source_type base;
    struct source_declared declared;
    if (name + 2 >= end || !source_is(name + 1, "(") || close <= name + 1 || types->depth == DEPTH_MOST)
        return NULL;
    types->depth++;
    const struct source_token *at = source_type_read(types, name + 2, close, &base);
    at = at > name + 2 ? source_declarator_read(types, at, close, base, &declared) : NULL;
    types->depth--;
    *value = at == close && !declared.name ? (int64_t)source_declared_bytes(&declared) : 0;
    return *value > 0 ? close + 1 : NULL;
}

/* Reads `[4][8 + 1]`. */
static const struct source_token *read_dimensions(struct source_types *types, const struct source_token *at,
                                                  const struct source_token *end, struct source_declared *declared)
{
    for (; at < end && source_is(at, "["); declared->dimensions++) {
        const struct source_token *close = source_closed(at, end);
        int64_t value = 0;
        if (declared->dimensions == SOURCE_DIMENSIONS_MOST)
            return NULL;
        types->scope.looks = 0;
        bool const good = source_evaluate(at + 1, close - 1, resolve, types, &value) && value > 0;
        declared->sizes[declared->dimensions] = good ? (uint64_t)value : 0;
        declared->unsized = declared->unsized || (!good && close - at > 2);
        at = close;
    }
    return at;
}

static const struct source_token *read_declarator(struct source_types *types, const struct source_token *at,
                                                  const struct source_token *end, struct source_declared *declared,
                                                  int depth)
{
    for (; at < end; at++) {
        at = source_past_qualifiers(at, end);
        if (at >= end || (!source_is(at, "*") && !source_is(at, "&")))
            break;
        declared->type.pointers += source_is(at, "*");
        declared->reference = declared->reference || source_is(at, "&");
    }
    for (; at < end && at->kind == SOURCE_NAME; at = source_past_qualifiers(at + 1, end))
        declared->name = at; /* the last one: an unknown macro may stand before it */
    if (at < end && source_is(at, "(") && !declared->name) {
        declared->inner = true;
        at = depth < DEPTH_MOST ? read_declarator(types, at + 1, end, declared, depth + 1) : NULL;
        if (!at || at >= end || !source_is(at, ")"))
            return NULL;
        at++;
    }
    if (at < end && source_is(at, "(")) {
        declared->function = true;
        at = source_closed(at, end);
    }
    at = read_dimensions(types, at, end, declared);
    return at ? source_past_qualifiers(at, end) : NULL;
}

const struct source_token *source_declarator_read(struct source_types *types, const struct source_token *at,
                                                  const struct source_token *end, struct source_type base,
                                                  struct source_declared *declared)
{
    *declared = (struct source_declared){.type = base};
    return read_declarator(types, at, end, declared, 0);
}

uint64_t source_declared_bytes(const struct source_declared *declared)
{
    uint64_t bytes = declared->type.pointers || declared->inner ? 8 : declared->type.bytes;
    for (int i = 0; i < declared->dimensions && !declared->inner; i++)
        bytes = bytes && declared->sizes[i] && declared->sizes[i] < size_most / bytes ? bytes * declared->sizes[i] : 0;
    return declared->function && !declared->inner ? 0 : bytes;
}

/* ---- structures ---- */

static bool add_field(struct source_types *types, struct source_type *whole, struct ptx_field *fields,
                      const struct source_declared *declared)
{
    const struct source_type *type = &declared->type;
    uint64_t const all = source_declared_bytes(declared);
    bool const pointer = type->pointers > 0 || declared->inner;
    if (!declared->name || !all || declared->reference || (declared->function && !declared->inner) ||
        declared->dimensions > 1 || whole->field_count == FIELDS_MOST)
        return false;
    uint64_t const align = pointer ? 8 : type->align, bytes = pointer ? 8 : type->bytes;
    uint64_t const offset = (whole->bytes + align - 1) / align * align;
    bool const number = !pointer && type->numbers == 1 && type->type != PTX_TYPE_NONE;
    bool const real = number && (type->type == PTX_F32 || type->type == PTX_F64);
    fields[whole->field_count++] = (struct ptx_field){.name = source_word(types->source->arena, declared->name),
                                                      .offset = offset,
                                                      .bytes = bytes,
                                                      .count = declared->dimensions ? declared->sizes[0] : 0,
                                                      .whole = number && !ptx_is_real(type->type),
                                                      .real = real};
    whole->bytes = offset + all;
    whole->align = align > whole->align ? align : whole->align;
    return whole->bytes < size_most;
}

/* Reads one declaration of fields. Returns the token behind its semicolon; NULL: not understood. */
static const struct source_token *read_fields(struct source_types *types, const struct source_token *at,
                                              const struct source_token *end, struct source_type *whole,
                                              struct ptx_field *fields)
{
    struct source_type type;
    struct source_declared declared;
    if (source_is(at, "static") || source_is(at, "typedef"))
        return NULL;
    at = source_type_read(types, at, end, &type);
    if (!type.bytes)
        return NULL;
    do {
        at = source_declarator_read(types, at, end, type, &declared);
        if (!at || at >= end || !add_field(types, whole, fields, &declared))
            return NULL;
        if (source_is(at, "=") || source_is(at, "{"))
            at = source_is(at, "{") ? source_closed(at, end) : source_part_end(at, end);
        at++;
    } while (at < end && source_is(at - 1, ","));
    return source_is(at - 1, ";") ? at : NULL;
}

/* Reads a structure behind its word: attributes, a name or none, and fields in braces. Returns the token behind it. */
static const struct source_token *read_structure(struct source_types *types, const struct source_token *at,
                                                 const struct source_token *end, struct source_type *type)
{
    struct source_type whole = {.numbers = 1, .align = 1};
    uint64_t least = 1;
    *type = (struct source_type){.numbers = 1};
    for (; at < end && !source_is(at, "{"); at++) {
        int64_t value;
        if ((source_is(at, "__align__") || source_is(at, "alignas")) && source_is(at + 1, "(") &&
            source_evaluate(at + 2, source_closed(at + 1, end) - 1, resolve, types, &value) && value > 0 &&
            value < 4096)
            least = (uint64_t)value;
        if (source_is(at, "("))
            at = source_closed(at, end) - 1;
    }
    if (at >= end)
        return end;
    const struct source_token *behind = source_closed(at, end), *close = behind - 1;
    struct ptx_field *fields = arena_array(types->source->arena, struct ptx_field, FIELDS_MOST);
    if (types->depth == DEPTH_MOST)
        return behind;
    types->depth++;
    for (at++; at && at < close;) {
        bool const label = at + 1 < close && source_is(at, "public") && source_is(at + 1, ":");
        at = label ? at + 2 : read_fields(types, at, close, &whole, fields);
    }
    types->depth--;
    if (!at || !whole.field_count)
        return behind;
    whole.align = least > whole.align ? least : whole.align;
    whole.bytes = (whole.bytes + whole.align - 1) / whole.align * whole.align;
    whole.fields = fields;
    *type = whole;
    return behind;
}
