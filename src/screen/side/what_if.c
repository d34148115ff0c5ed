#include "screen/side/what_if.h"
#include "base/words.h"
#include "document/program.h"
#include <string.h>

enum { ROWS_MAX = 4, CHANGES_MAX = 6 };

/* Returns whether another launch of the same kernel has a knob of this name. */
static bool has_like(const struct source_knobs *knobs, const struct source_knob *knob)
{
    for (size_t i = 0; i < knobs->count; i++) {
        const struct source_knob *other = &knobs->items[i];
        if (other != knob && other->kernel && strcmp(other->kernel, knob->kernel) == 0 && other->role == knob->role &&
            other->dimension == knob->dimension)
            return true;
    }
    return false;
}

/* Returns how a knob is called: "TILE", "block.x", "scale: x and y", "scale: block", "scale:19: block" for the launch
 * in line 19. */
static const char *knob_name(struct arena *arena, const struct source_knobs *knobs, const struct source_knob *knob)
{
    static const char *const sides[] = {"", ".x", ".y", ".z"};
    const char *side = sides[knob->dimension + 1];
    if (!knob->kernel)
        return arena_format(arena, "%s%s", knob->name, side);
    if (knob->role == SOURCE_KNOB_EXCHANGE)
        return arena_format(arena, _("%s: x and y"), knob->kernel);
    const char *launch = has_like(knobs, knob) ? arena_format(arena, "%s:%u", knob->kernel, knob->line) : knob->kernel;
    return knob->role == SOURCE_KNOB_BLOCK ? arena_format(arena, _("%s: block%s"), launch, side)
                                           : arena_format(arena, _("%s: grid%s"), launch, side);
}

static const char *knob_tip(struct arena *arena, const struct source_knob *knob)
{
    switch (knob->role) {
    case SOURCE_KNOB_BLOCK:
        return arena_format(arena, _("line %u: threads in a block; in the file %lld"), knob->line, knob->value);
    case SOURCE_KNOB_GRID:
        return arena_format(arena, _("line %u: blocks of the grid; in the file %lld"), knob->line, knob->value);
    case SOURCE_KNOB_EXCHANGE:
        return arena_format(arena,
                            _("line %u: exchanges x and y in threadIdx, blockIdx, blockDim and gridDim of this kernel, "
                              "so that other threads lie side by side; the launch stays as it is"),
                            knob->line);
    case SOURCE_KNOB_VALUE:
        break;
    }
    return arena_format(arena, _("line %u; in the file %lld"), knob->line, knob->value);
}

static struct knob_view knob_now(struct arena *arena, const struct what_if *what_if, const struct source_knob *knob)
{
    long long values[WHAT_IF_VALUES];
    int at, count = what_if_values(what_if, knob, values, &at);
    const char **texts = arena_array(arena, const char *, (size_t)count);
    for (int i = 0; i < count; i++)
        texts[i] = knob->role == SOURCE_KNOB_EXCHANGE    ? values[i] ? _("exchanged") : _("as in the file")
                      : values[i] == knob->value && i == at ? arena_format(arena, _("%lld (file)"), values[i])
                                                         : arena_format(arena, "%lld", values[i]);
    return (struct knob_view){.label = knob_name(arena, &what_if->knobs, knob),
                              .values = texts,
                              .count = count,
                              .at = at,
                              .tip = knob_tip(arena, knob)};
}

/* Returns what the knobs cannot do. */
static const char *note_words(struct arena *arena, const struct what_if *what_if)
{
    const struct source_knobs *knobs = &what_if->knobs;
    const char *words = "";
    for (size_t i = 0; i < knobs->fixed_count && i < 2; i++) {
        const struct source_fixed *fixed = &knobs->fixed[i];
        const char *why = fixed->why == SOURCE_FIXED_CHANGED
                              ? _("line %u: the block size %s cannot be turned, the program changes it.")
                          : fixed->why == SOURCE_FIXED_DEFINED
                              ? _("line %u: the block size %s cannot be turned, the command line gives it.")
                              : _("line %u: the block size %s cannot be turned, the program computes it.");
        words =
            arena_format(arena, "%s%s%s", words, *words ? " " : "", arena_format(arena, why, fixed->line, fixed->name));
    }
    if (*words)
        return words;
    return knobs->count
               ? _("The program is compiled and run again with the value, from a copy: the file stays as it is.")
               : _("No value can be turned: the file has no #define, const or constexpr with a whole number, and "
                   "no launch with a constant.");
}

void draw_what_if(struct drawing *drawing, struct view *view, struct rect *box, float least)
{
    const struct what_if *what_if = &drawing->document->program->what_if;
    struct arena *arena = drawing->arena;
    float const gap = 12 * drawing->ui->unit;
    struct knob_view *knobs = arena_array(arena, struct knob_view, what_if->knobs.count + 1);
    for (size_t i = 0; i < what_if->knobs.count; i++)
        knobs[i] = knob_now(arena, what_if, &what_if->knobs.items[i]);
    struct what_if_view shown = {.knobs = knobs,
                                 .count = (int)what_if->knobs.count,
                                 .current = what_if->current,
                                 .turned = what_if->turn_count > 0,
                                 .note = note_words(arena, what_if)};
    int rows = ROWS_MAX;
    while (rows > 1 && card_what_if_height(view, box->w, &shown, rows) + gap > box->h - least)
        rows--;
    if (rows < shown.count && !what_if->knobs.fixed_count) { /* room for values goes before words */
        shown.note = "";
        rows = ROWS_MAX;
        while (rows > 1 && card_what_if_height(view, box->w, &shown, rows) + gap > box->h - least)
            rows--;
    }
    if (card_what_if_height(view, box->w, &shown, rows) + gap > box->h - least)
        shown.note = "";
    float const height = card_what_if_height(view, box->w, &shown, rows);
    if (height + gap > box->h - least)
        return;
    action_ask(drawing->actions, card_what_if(view, rect_cut_bottom(box, height), &shown));
    rect_cut_bottom(box, gap);
}

/* ---- what changed ---- */

static const struct launch_sum *before_of(const struct run_sum *before, const struct launch_sum *now)
{
    for (size_t i = 0; i < before->count; i++)
        if (before->items[i].nth == now->nth && strcmp(before->items[i].kernel, now->kernel) == 0)
            return &before->items[i];
    return NULL;
}

static const char *shape_words(struct arena *arena, const struct launch_sum *sum)
{
    struct program_item const item = {.kind = PROGRAM_LAUNCH,
                                      .grid = {sum->grid[0], sum->grid[1], sum->grid[2]},
                                      .block = {sum->block[0], sum->block[1], sum->block[2]}};
    return program_item_words(arena, &item);
}

static void fill_cells(struct arena *arena, const struct launch_sum *sum, const char *cells[CHANGE_CELLS])
{
    cells[0] = words_count(arena, sum->instructions);
    cells[1] = shape_words(arena, sum);
    cells[2] = view_duration(arena, sum->model_us);
    cells[3] = words_count(arena, sum->findings);
    cells[4] = words_count(arena, sum->passes);
    cells[5] = words_count(arena, sum->sectors);
}

/* Returns whether a launch differs, and fills its row. */
static bool fill_row(struct arena *arena, const struct launch_sum *before, const struct launch_sum *now,
                     struct change_row *row)
{
    const char *old[CHANGE_CELLS] = {NULL}, *cells[CHANGE_CELLS];
    bool differs = before == NULL;
    fill_cells(arena, now, cells);
    if (before)
        fill_cells(arena, before, old);
    row->name = before ? arena_format(arena, "%llu %s", (unsigned long long)now->launch, now->kernel)
                       : arena_format(arena, _("%llu %s (new)"), (unsigned long long)now->launch, now->kernel);
    for (int c = 0; c < CHANGE_CELLS; c++) {
        row->cells[c].before = old[c];
        row->cells[c].now = cells[c];
        differs = differs || strcmp(old[c], cells[c]) != 0;
    }
    return differs;
}

/* Returns what was turned: "n 128 → 256", "product: x and y exchanged". */
static const char *turn_words(struct arena *arena, const struct source_knobs *knobs, const struct source_knob *knob,
                              long long value)
{
    const char *name = knob_name(arena, knobs, knob);
    return knob->role == SOURCE_KNOB_EXCHANGE ? arena_format(arena, "%s %s", name, _("exchanged"))
                                              : arena_format(arena, "%s %lld → %lld", name, knob->value, value);
}

static const char *title_words(struct arena *arena, const struct what_if *what_if)
{
    const char *words = "";
    if (what_if->edited)
        return _("WHAT CHANGED · since the version before");
    for (size_t i = 0; i < what_if->turn_count; i++)
        for (size_t k = 0; k < what_if->knobs.count; k++)
            if (source_turn_fits(&what_if->turns[i], &what_if->knobs.items[k]))
                words =
                    arena_format(arena, "%s%s%s", words, *words ? ", " : "",
                                 turn_words(arena, &what_if->knobs, &what_if->knobs.items[k], what_if->turns[i].value));
    return arena_format(arena, _("WHAT CHANGED · %s"), words);
}

void draw_changes(struct drawing *drawing, struct view *view, struct rect *box, float least)
{
    const struct open_program *program = drawing->document->program;
    const struct what_if *what_if = &program->what_if;
    struct arena *arena = drawing->arena;
    float const gap = 12 * drawing->ui->unit;
    if (!what_if->before.known || program->failed.kind || program->work.started)
        return;
    struct change_row *rows = arena_array(arena, struct change_row, what_if->now.count + 1);
    struct changes_view changes = {.title = title_words(arena, what_if),
                                   .heads = {_("Instructions"), _("Shape"), _("Model time"), _("Findings"),
                                             _("Passes (shared)"), _("Sectors (global)")},
                                   .rows = rows,
                                   .none = what_if->now.count == what_if->before.count
                                               ? _("No launch counts anything else than before.")
                                               : _("Launches are gone; the others count the same as before.")};
    for (size_t i = 0; i < what_if->now.count; i++) {
        const struct launch_sum *now = &what_if->now.items[i];
        changes.count += fill_row(arena, before_of(&what_if->before, now), now, &rows[changes.count]);
    }
    size_t most = CHANGES_MAX;
    while (most > 1 && card_changes_height(view, &changes, most) + gap > box->h - least)
        most--;
    float const height = card_changes_height(view, &changes, most);
    if (height + gap > box->h - least)
        return;
    card_changes(view, rect_cut_bottom(box, height), &changes);
    rect_cut_bottom(box, gap);
}
