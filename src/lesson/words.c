/* Reads en.md and ko.md: `# title` and its paragraph, `## beat-id`, and in a beat `### choices`, `### wrong`,
 * `### after`, `### big` and `### tally`. md4c splits the Markdown; this file puts the pieces into the lesson.
 * Asterisks and underlines inside {expressions} are hidden from md4c, which would read them as emphasis. */
#include "base/file.h"
#include "lesson/plan.h"
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

enum part { PART_TITLE, PART_SUMMARY, PART_WORDS, PART_AFTER, PART_BIG, PART_TALLY, PART_CHOICES, PART_WRONG };
enum { HIDDEN_STAR = 1, HIDDEN_UNDERLINE = 2 };

struct text_builder {
    struct {
        struct text_paragraph *items;
        size_t count, capacity;
    } paragraphs;
    struct {
        struct text_span *items;
        size_t count, capacity;
    } spans;
    char *last; /* the text of the last span, which is still growing */
    size_t length, room;
};

struct reader {
    struct lesson *lesson;
    struct lesson_beat *beats;
    struct arena *arena;
    enum language language;
    const char *path, *source;
    struct error *error;
    enum part part;
    int wrong;  /* PART_WRONG: index of the choice, or the number of choices */
    int choice; /* PART_CHOICES: index of the next one */
    int beat;   /* the section's beat; -1 before the first */
    unsigned heading;
    bool item, in_block, failed;
    enum text_style style;
    struct text_builder text;
    bool *seen;
    int *choices_seen; /* items under `### choices` of each beat */
};

static int line_of(const char *source, const char *at)
{
    int line = 1;
    for (const char *c = source; at && c < at; c++)
        line += *c == '\n';
    return at ? line : 0;
}

static int fail_at(struct reader *reader, const char *needle, const char *message)
{
    if (reader->failed) /* md4c goes on for a while: the first error counts */
        return 1;
    reader->failed = true;
    reader->beat = -1;
    error_at(reader->error, ERROR_INPUT, reader->path, line_of(reader->source, strstr(reader->source, needle)), 0, "%s",
             message);
    return -1; /* md4c goes on after a number above 0 */
}

/* md4c gives a paragraph in many pieces: the text of a span grows by doubling. */
static void grow_last(struct reader *reader, size_t length)
{
    struct text_builder *builder = &reader->text;
    if (builder->length + length < builder->room)
        return;
    builder->room = 2 * (builder->length + length) + 1;
    char *grown = arena_alloc(reader->arena, builder->room);
    if (builder->length)
        memcpy(grown, builder->last, builder->length);
    builder->last = grown;
    builder->spans.items[builder->spans.count - 1].text = grown;
}

static void add_text(struct reader *reader, const char *bytes, size_t length)
{
    struct text_builder *builder = &reader->text;
    if (!builder->spans.count || builder->spans.items[builder->spans.count - 1].style != reader->style) {
        struct text_span const span = {reader->style, ""};
        array_push(&builder->spans, span);
        builder->length = builder->room = 0;
    }
    grow_last(reader, length);
    for (size_t i = 0; i < length && bytes[i]; i++) {
        char const c = bytes[i];
        builder->last[builder->length++] = (char)(c == HIDDEN_STAR ? '*' : c == HIDDEN_UNDERLINE ? '_' : c);
    }
}

/* All spans of the block as one text. */
static const char *joined(struct reader *reader)
{
    const struct text_builder *builder = &reader->text;
    size_t length = 0;
    for (size_t i = 0; i < builder->spans.count; i++)
        length += strlen(builder->spans.items[i].text);
    char *text = arena_alloc(reader->arena, length + 1), *end = text;
    for (size_t i = 0; i < builder->spans.count; i++)
        end = stpcpy(end, builder->spans.items[i].text);
    return text;
}

/* "wrong 8" replies to the choice 8; "wrong" to every other wrong answer. */
static int open_wrong(struct reader *reader, const char *heading)
{
    const struct lesson_beat *beat = &reader->beats[reader->beat];
    reader->part = PART_WRONG;
    reader->wrong = beat->choice_count;
    if (heading[5] == '\0')
        return 0;
    char *end;
    double const value = strtod(heading + 6, &end);
    for (int i = 0; *end == '\0' && i < beat->choice_count; i++)
        if (beat->choices[i] == value)
            reader->wrong = i;
    if (reader->wrong < beat->choice_count)
        return 0;
    return fail_at(reader, arena_format(reader->arena, "### %s", heading),
                   arena_format(reader->arena, "the beat \"%s\" has no choice \"%s\"", beat->id, heading + 6));
}

static int close_heading(struct reader *reader)
{
    const char *text = joined(reader);
    unsigned const level = reader->heading;
    reader->heading = 0;
    reader->text.spans.count = 0;
    if (level == 1) {
        reader->lesson->title[reader->language] = text;
        reader->part = PART_SUMMARY;
        return 0;
    }
    if (level == 2) {
        reader->part = PART_WORDS;
        for (reader->beat = 0; reader->beat < reader->lesson->beat_count; reader->beat++)
            if (strcmp(reader->beats[reader->beat].id, text) == 0)
                break;
        if (reader->beat == reader->lesson->beat_count)
            return fail_at(reader, arena_format(reader->arena, "## %s", text),
                           arena_format(reader->arena, "lesson.yaml has no beat \"%s\"", text));
        if (reader->seen[reader->beat])
            return fail_at(reader, arena_format(reader->arena, "## %s", text),
                           arena_format(reader->arena, "the beat \"%s\" has two sections", text));
        reader->seen[reader->beat] = true;
        return 0;
    }
    static const char *const names[] = {"after", "big", "tally", "choices"};
    for (unsigned i = 0; reader->beat >= 0 && level == 3 && i < 4; i++)
        if (strcmp(names[i], text) == 0) {
            reader->part = (enum part)(PART_AFTER + i);
            reader->choice = 0;
            return 0;
        }
    if (reader->beat >= 0 && level == 3 && strncmp(text, "wrong", 5) == 0 && (text[5] == ' ' || !text[5]))
        return open_wrong(reader, text);
    return fail_at(reader, arena_format(reader->arena, "# %s", text),
                   arena_format(reader->arena,
                                "the heading \"%s\" is none of `# title`, `## beat`, `### choices`, `### wrong`, "
                                "`### after`, `### big`, `### tally`",
                                text));
}

/* The paragraphs gathered so far belong to the section that ends here. */
static void close_part(struct reader *reader)
{
    struct text_builder *builder = &reader->text;
    struct lesson_text text = {NULL, builder->paragraphs.count};
    if (text.count == 0)
        return;
    struct text_paragraph *paragraphs = arena_array(reader->arena, struct text_paragraph, text.count);
    memcpy(paragraphs, builder->paragraphs.items, text.count * sizeof *paragraphs);
    text.paragraphs = paragraphs;
    builder->paragraphs.count = 0;
    struct lesson_beat *beat = reader->beat >= 0 ? &reader->beats[reader->beat] : NULL;
    if (beat && reader->part == PART_WORDS)
        beat->words[reader->language] = text;
    else if (beat && reader->part == PART_AFTER)
        beat->after[reader->language] = text;
    else if (beat && reader->part == PART_WRONG)
        beat->wrong[reader->language][reader->wrong] = text;
}

static void close_paragraph(struct reader *reader)
{
    struct text_builder *builder = &reader->text;
    if (builder->spans.count == 0)
        return;
    if (reader->part == PART_SUMMARY) {
        reader->lesson->summary[reader->language] = joined(reader);
    } else if (reader->part == PART_BIG && reader->beat >= 0) {
        reader->beats[reader->beat].big_words[reader->language] = joined(reader);
    } else if (reader->part == PART_TALLY && reader->beat >= 0) {
        reader->beats[reader->beat].tally[reader->language] = joined(reader);
    } else if (reader->part == PART_CHOICES && !reader->item) {
        fail_at(reader, "### choices", "`### choices` holds a list with `-`, and nothing else");
    } else if (reader->part == PART_CHOICES && reader->beat >= 0) {
        struct lesson_beat *beat = &reader->beats[reader->beat];
        if (!beat->choice_words[reader->language])
            beat->choice_words[reader->language] =
                arena_array(reader->arena, const char *, (size_t)beat->choice_count + 1);
        if (reader->choice < beat->choice_count)
            beat->choice_words[reader->language][reader->choice] = joined(reader);
        reader->choice++;
        reader->choices_seen[reader->beat] = reader->choice;
    } else {
        struct text_span *spans = arena_array(reader->arena, struct text_span, builder->spans.count);
        memcpy(spans, builder->spans.items, builder->spans.count * sizeof *spans);
        struct text_paragraph const paragraph = {reader->item, spans, builder->spans.count};
        array_push(&builder->paragraphs, paragraph);
    }
    builder->spans.count = 0;
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reader *reader = context;
    if (type == MD_BLOCK_H) {
        close_paragraph(reader);
        close_part(reader);
        reader->heading = ((MD_BLOCK_H_DETAIL *)detail)->level;
    } else if (type == MD_BLOCK_LI) {
        close_paragraph(reader);
        reader->item = true;
    } else if (type != MD_BLOCK_P && type != MD_BLOCK_DOC && type != MD_BLOCK_UL) {
        return fail_at(reader, "", "a lesson's text may contain only headings, paragraphs and lists with `-`");
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reader *reader = context;
    (void)detail;
    if (type == MD_BLOCK_H)
        return close_heading(reader);
    if (type == MD_BLOCK_P || type == MD_BLOCK_LI)
        close_paragraph(reader);
    if (type == MD_BLOCK_LI)
        reader->item = false;
    if (type == MD_BLOCK_DOC)
        close_part(reader);
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct reader *reader = context;
    (void)detail;
    reader->style = type == MD_SPAN_CODE ? TEXT_CODE : TEXT_BOLD;
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct reader *reader = context;
    (void)type;
    (void)detail;
    reader->style = TEXT_PLAIN;
    return 0;
}

static int take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
        add_text(context, " ", 1);
    else
        add_text(context, text, size);
    return 0;
}

static bool check_complete(struct reader *reader)
{
    struct lesson *lesson = reader->lesson;
    if (!lesson->title[reader->language] || !lesson->summary[reader->language])
        return !fail_at(reader, "", "needs a `# title` and a paragraph under it that summarizes the lesson");
    for (int i = 0; i < lesson->beat_count; i++) {
        const struct lesson_beat *beat = &reader->beats[i];
        if (beat->words[reader->language].count == 0)
            return error_at(reader->error, ERROR_INPUT, reader->path, 0, 0,
                            "there is no text under `## %s`, a beat of lesson.yaml", beat->id);
        if (beat->kind != BEAT_TELL && beat->kind != BEAT_REMEMBER && beat->after[reader->language].count == 0)
            return error_at(reader->error, ERROR_INPUT, reader->path, 0, 0,
                            "there is no `### after` under `## %s`, which asks something", beat->id);
        if (reader->choices_seen[i] && reader->choices_seen[i] != beat->choice_count)
            return error_at(reader->error, ERROR_INPUT, reader->path, 0, 0,
                            "`### choices` under `## %s` names %d, but the beat has %d", beat->id,
                            reader->choices_seen[i], beat->choice_count);
        if (beat->big && !beat->big_words[reader->language])
            return error_at(reader->error, ERROR_INPUT, reader->path, 0, 0,
                            "there is no `### big` under `## %s`, which shows a number", beat->id);
    }
    return true;
}

bool words_read(struct lesson *lesson, struct lesson_beat *beats, enum language language, const char *path,
                struct error *error)
{
    struct reader reader = {.lesson = lesson,
                            .beats = beats,
                            .arena = &lesson->arena,
                            .language = language,
                            .path = path,
                            .error = error,
                            .beat = -1};
    char *text;
    size_t size;
    if (!file_read(&lesson->arena, path, &text, &size, error))
        return false;
    reader.source = arena_text_n(&lesson->arena, text, size);
    reader.seen = arena_array(&lesson->arena, bool, (size_t)lesson->beat_count);
    reader.choices_seen = arena_array(&lesson->arena, int, (size_t)lesson->beat_count);
    int depth = 0;
    for (char *c = text; *c; c++) {
        depth += (*c == '{') - (*c == '}' && depth > 0);
        if (depth > 0)
            *c = (char)(*c == '*' ? HIDDEN_STAR : *c == '_' ? HIDDEN_UNDERLINE : *c);
    }
    MD_PARSER const parser = {.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = take_text};
    int const result = md_parse(text, (MD_SIZE)size, &parser, &reader);
    free(reader.text.paragraphs.items);
    free(reader.text.spans.items);
    if (reader.failed)
        return false;
    if (result != 0)
        return error_at(error, ERROR_INPUT, path, 0, 0, "cannot be read as Markdown");
    return check_complete(&reader);
}
