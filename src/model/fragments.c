/* Reads the matrix instructions of a trace, and follows their elements back to memory. A register is found again by its
 * name: compilers give each value a register of its own. */
#include "model/fragments.h"
#include "ptx/parse.h"
#include <string.h>

static const struct trace_event *event_at(const struct fragments *fragments, size_t position)
{
    const struct timeline *timeline = fragments->timeline;
    return &timeline->trace->events.items[timeline->events[position]];
}

/* Keeps the names of an operand: the words of {a, b, c}, or one word. Returns the rest of the text. */
static const char *keep_names(struct arena *arena, const char *text, struct fragment_site *site, unsigned operand)
{
    text += strspn(text, " ,");
    bool const vector = *text == '{';
    for (text += vector; *text && *text != '}'; text += strspn(text, " ,")) {
        size_t const length = strcspn(text, " ,}");
        if (site->named[operand] < FRAGMENT_NAMES)
            site->names[operand][site->named[operand]++] = arena_text_n(arena, text, length);
        text += length;
        if (!vector)
            return text;
    }
    return text + (*text == '}');
}

/* Returns an opcode's words up to `.sync`. */
static const char *short_name(struct arena *arena, const char *text)
{
    const char *end = strstr(text, ".sync");
    return arena_text_n(arena, text, end ? (size_t)(end - text) + strlen(".sync") : strcspn(text, " "));
}

static const struct fragment_site *read_site(struct arena *arena, struct ptx_words *words, const char *text)
{
    struct ptx_module const alone = {.text = text, .text_size = strlen(text)};
    struct ptx_instruction instruction;
    struct fragment_site site = {.name = NULL};
    if (!ptx_words_read(words, text, &instruction) || ptx_opcode_group(instruction.opcode) != PTX_GROUP_MATRIX)
        return NULL;
    instruction.text_start = 0;
    instruction.text_end = (uint32_t)strlen(text);
    if (!ptx_matrix_read(&alone, &instruction, &site.form) || site.form.action == PTX_MATRIX_MOVE)
        return NULL;
    text += *text == '@' ? strcspn(text, " ") + 1 : 0;
    site.name = short_name(arena, text);
    text += strcspn(text, " ");
    bool const stores = site.form.action == PTX_MATRIX_STORE;
    if (stores)
        text += strcspn(text, "]") + 1;
    for (unsigned i = 0; i < (site.form.action == PTX_MATRIX_MULTIPLY ? FRAGMENT_OPERANDS : 1u); i++)
        text = keep_names(arena, text, &site, i);
    for (const char *which = site.form.action == PTX_MATRIX_MULTIPLY ? "dabc" : "a"; *which; which++) {
        struct ptx_fragment const fragment = ptx_matrix_fragment(&site.form, *which);
        if (!fragment.registers || !ptx_fragment_packed(&fragment) || fragment.registers > FRAGMENT_NAMES)
            return NULL; /* a form that no layout is known for */
    }
    struct fragment_site *kept = arena_new(arena, struct fragment_site);
    *kept = site;
    return kept;
}

const struct fragment_site *fragment_site_read(struct arena *arena, const char *text)
{
    struct ptx_words *words = ptx_words_new();
    const struct fragment_site *site = read_site(arena, words, text);
    ptx_words_free(words);
    return site;
}

const struct fragments *fragments_new(struct arena *arena, const struct timeline *timeline)
{
    const struct trace *trace = timeline->trace;
    const struct fragment_site **sites = arena_array(arena, const struct fragment_site *, trace->site_count + 1u);
    struct fragments *fragments = arena_new(arena, struct fragments);
    struct ptx_words *words = ptx_words_new();
    *fragments = (struct fragments){.timeline = timeline, .sites = sites, .halves = PTX_NUMBER_B16};
    bool found = false;
    for (uint32_t i = 0; i < trace->site_count; i++) {
        sites[i] = read_site(arena, words, trace->sites[i].text);
        if (sites[i] && sites[i]->form.action == PTX_MATRIX_MULTIPLY && ptx_number_bits(sites[i]->form.format[1]) == 16)
            fragments->halves = sites[i]->form.format[1];
    }
    ptx_words_free(words);
    for (size_t i = 0; i < timeline->count && !found; i++)
        found = fragments_at(fragments, i) != NULL;
    return found ? fragments : NULL;
}

const struct fragment_site *fragments_at(const struct fragments *fragments, size_t position)
{
    if (position >= fragments->timeline->count)
        return NULL;
    const struct trace_event *event = event_at(fragments, position);
    bool const kind = event->kind == TRACE_ACCESS || event->kind == TRACE_REGISTERS;
    return kind && event->site < fragments->timeline->trace->site_count ? fragments->sites[event->site] : NULL;
}

/* Returns the position of the warp's event before or behind, or SIZE_MAX. */
static size_t neighbour(const struct fragments *fragments, size_t position, int direction)
{
    uint32_t const warp = event_at(fragments, position)->warp;
    for (size_t at = position + (size_t)direction; at < fragments->timeline->count; at += (size_t)direction)
        if (event_at(fragments, at)->warp == warp)
            return at;
    return SIZE_MAX;
}

size_t fragments_start(const struct fragments *fragments, size_t position, unsigned *step)
{
    const struct fragment_site *site = fragments_at(fragments, position);
    const struct trace_event *event = event_at(fragments, position);
    unsigned before = 0, back;
    size_t start = position;
    if (site->form.action == PTX_MATRIX_MULTIPLY) {
        back = event->other;
    } else { /* repetitions of the instruction may follow one another */
        for (size_t at = neighbour(fragments, position, -1); at != SIZE_MAX;
             at = neighbour(fragments, at, -1), before++)
            if (event_at(fragments, at)->site != event->site)
                break;
        back = before % site->form.steps;
    }
    *step = back;
    for (unsigned k = 0; k < back; k++) {
        size_t const at = neighbour(fragments, start, -1);
        if (at == SIZE_MAX)
            break;
        start = at;
    }
    return start;
}

void fragment_locate(const struct ptx_matrix *form, char which, struct fragment_element element, unsigned *row,
                     unsigned *column)
{
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, which);
    unsigned outer, inner;
    ptx_fragment_place(&fragment, element.lane, element.number, element.index, &outer, &inner);
    bool const turned =
        form->action == PTX_MATRIX_MULTIPLY || form->whole ? which == 'b' || fragment.tiles.turned : false;
    *row = turned ? inner : outer;
    *column = turned ? outer : inner;
}

static uint32_t lanes_of(const struct ptx_matrix *form, char which, bool across, unsigned wanted)
{
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, which);
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned number = 0; number < fragment.registers; number++)
            for (unsigned index = 0; index < ptx_fragment_packed(&fragment); index++) {
                unsigned row, column;
                fragment_locate(form, which, (struct fragment_element){lane, number, index}, &row, &column);
                lanes |= (uint32_t)((across ? row : column) == wanted) << lane;
            }
    return lanes;
}

uint32_t fragment_row_lanes(const struct ptx_matrix *form, char which, unsigned row)
{
    return lanes_of(form, which, true, row);
}

uint32_t fragment_column_lanes(const struct ptx_matrix *form, char which, unsigned column)
{
    return lanes_of(form, which, false, column);
}

/* Finds the events of the instruction's steps, from its first one on. */
static const struct trace_event *event_of_step(const struct fragments *fragments, size_t start, unsigned step)
{
    uint32_t const site = event_at(fragments, start)->site;
    size_t at = start;
    for (unsigned k = 0; k < step; k++) {
        at = neighbour(fragments, at, 1);
        if (at == SIZE_MAX || event_at(fragments, at)->site != site)
            return NULL;
    }
    return event_at(fragments, at);
}

/* Finds the memory of an element of a load or store: in the piece that a lane moved in one of the steps. */
static bool find_memory(const struct fragments *fragments, size_t start, struct fragment_element element,
                        struct fragment_origin *origin)
{
    const struct ptx_matrix *form = &fragments_at(fragments, start)->form;
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, form->which ? form->which : 'a');
    const struct trace *trace = fragments->timeline->trace;
    unsigned outer, inner;
    ptx_fragment_place(&fragment, element.lane, element.number, element.index, &outer, &inner);
    for (unsigned step = 0; step < form->steps; step++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            struct ptx_piece const piece = ptx_matrix_piece(form, step, lane);
            unsigned const from = form->together ? piece.inner : piece.outer, at = form->together ? inner : outer;
            bool const line = form->together ? piece.outer == outer : piece.inner == inner;
            if (!(ptx_matrix_lanes(form) >> lane & 1) || !line || at < from || at >= from + piece.count)
                continue;
            const struct trace_event *event = event_of_step(fragments, start, step);
            if (!event || event->kind != TRACE_ACCESS)
                return false;
            origin->space = trace_space(&trace->sites[event->site], event);
            origin->address = trace_addresses(trace, event)[lane] + (at - from) * fragment.tiles.bits / 8;
            origin->lane = lane;
            origin->position = start;
            return true;
        }
    return false;
}

/* Returns the register's number among the results of a load, or FRAGMENT_NAMES. */
static unsigned number_of(const struct fragment_site *site, const char *name)
{
    unsigned k = 0;
    while (k < site->named[0] && strcmp(site->names[0][k], name) != 0)
        k++;
    return k < site->named[0] ? k : FRAGMENT_NAMES;
}

static bool loads_registers(const struct fragment_site *site)
{
    return site && site->form.action == PTX_MATRIX_LOAD;
}

static unsigned operand_of(char which)
{
    return which == 'd' ? 0 : (unsigned)(which - 'a') + 1;
}

bool fragment_origin(const struct fragments *fragments, size_t start, char which, struct fragment_element element,
                     struct fragment_origin *origin)
{
    const struct fragment_site *site = fragments_at(fragments, start);
    if (site->form.action != PTX_MATRIX_MULTIPLY)
        return find_memory(fragments, start, element, origin);
    unsigned const operand = operand_of(which);
    if (which == 'd' || element.number >= site->named[operand])
        return false;
    const char *name = site->names[operand][element.number];
    for (size_t at = neighbour(fragments, start, -1); at != SIZE_MAX; at = neighbour(fragments, at, -1)) {
        const struct fragment_site *writer = fragments_at(fragments, at);
        if (!writer || number_of(writer, name) == FRAGMENT_NAMES)
            continue;
        unsigned step;
        if (!loads_registers(writer))
            return false; /* a product wrote it */
        element.number = number_of(writer, name);
        return find_memory(fragments, fragments_start(fragments, at, &step), element, origin);
    }
    return false;
}

static bool find_register(const struct fragments *fragments, size_t start, const struct ptx_fragment *fragment,
                          struct fragment_element element, uint64_t *bits)
{
    unsigned const each = PTX_PART_BYTES * 8u / fragment->bits;
    uint32_t const part = fragment->first_part + element.number / each;
    const struct trace *trace = fragments->timeline->trace;
    uint32_t const site = event_at(fragments, start)->site;
    unsigned const at = element.number % each * fragment->bits;
    for (size_t k = start; k != SIZE_MAX && event_at(fragments, k)->site == site; k = neighbour(fragments, k, 1)) {
        const struct trace_event *event = event_at(fragments, k);
        const uint64_t *high = trace_values(trace, event);
        if (event->other != part || !high || event->kind != TRACE_REGISTERS)
            continue;
        uint64_t const word = at < 64 ? trace_addresses(trace, event)[element.lane] : high[element.lane];
        *bits = word >> at % 64;
        if (fragment->bits < 64)
            *bits &= UINT32_MAX;
        return true;
    }
    return false;
}

/* Finds bytes of memory that an access of the block up to the position read or wrote, the last one first. */
static bool find_bytes(const struct fragments *fragments, const struct fragment_origin *origin, unsigned bytes,
                       uint64_t *bits)
{
    const struct trace *trace = fragments->timeline->trace;
    for (size_t at = origin->position + 1; at-- > 0;) {
        const struct trace_event *event = event_at(fragments, at);
        const uint64_t *values = event->kind == TRACE_ACCESS ? trace_values(trace, event) : NULL;
        const struct trace_site *site = values ? &trace->sites[event->site] : NULL;
        if (!site || trace_space(site, event) != origin->space || site->operation > TRACE_STORE)
            continue;
        unsigned const kept = site->bytes < 8 ? site->bytes : 8;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint64_t const from = trace_addresses(trace, event)[lane];
            if (!(event->mask >> lane & 1) || origin->address < from || origin->address + bytes > from + site->bytes)
                continue;
            if (origin->address + bytes > from + kept) {
                if (site->operation == TRACE_STORE)
                    return false; /* it wrote a value that the trace does not keep */
                continue;
            }
            *bits = values[lane] >> 8 * (origin->address - from);
            return true;
        }
    }
    return false;
}

/* Finds the value of a loaded element in the registers of a later product of the warp. It goes no further than the next
 * load of the same registers. */
static bool find_use(const struct fragments *fragments, size_t start, struct fragment_element element, uint64_t *bits)
{
    const struct fragment_site *load = fragments_at(fragments, start);
    if (!loads_registers(load) || element.number >= load->named[0])
        return false;
    const char *name = load->names[0][element.number];
    uint32_t const site = event_at(fragments, start)->site;
    size_t at = neighbour(fragments, start, 1);
    while (at != SIZE_MAX && event_at(fragments, at)->site == site) /* its further steps */
        at = neighbour(fragments, at, 1);
    for (; at != SIZE_MAX && event_at(fragments, at)->site != site; at = neighbour(fragments, at, 1)) {
        const struct fragment_site *user = fragments_at(fragments, at);
        for (const char *which = "abc"; user && user->form.action == PTX_MATRIX_MULTIPLY && *which; which++)
            for (unsigned k = 0; k < user->named[operand_of(*which)]; k++) {
                struct ptx_fragment const fragment = ptx_matrix_fragment(&user->form, *which);
                if (event_at(fragments, at)->other || k >= fragment.registers ||
                    strcmp(user->names[operand_of(*which)][k], name) != 0)
                    continue;
                element.number = k;
                return find_register(fragments, at, &fragment, element, bits);
            }
    }
    return false;
}

bool fragment_value(const struct fragments *fragments, size_t start, char which, struct fragment_element element,
                    uint64_t *bits)
{
    const struct ptx_matrix *form = &fragments_at(fragments, start)->form;
    struct ptx_fragment const fragment = ptx_matrix_fragment(form, which);
    unsigned const size = fragment.tiles.bits;
    uint64_t const all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    if (form->action == PTX_MATRIX_MULTIPLY) {
        if (!find_register(fragments, start, &fragment, element, bits))
            return false;
        *bits = *bits >> element.index * size & all;
        return true;
    }
    struct fragment_origin origin;
    if (find_use(fragments, start, element, bits)) {
        *bits = *bits >> element.index * size & all;
        return true;
    }
    if (size < 8 || !find_memory(fragments, start, element, &origin) || !find_bytes(fragments, &origin, size / 8, bits))
        return false;
    *bits &= all;
    return true;
}
