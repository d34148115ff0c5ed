/* Reads en.md and ko.md: `# title` and its paragraph, `## beat-id: its title`, and in a beat `### choices`, `###
 * wrong`,
 * `### after`, `### big` and `### tally`. And the notes for teachers, notes.en.md and notes.ko.md, with `# title` and
 * `## beat-id` alone. md4c splits the Markdown; this file puts the pieces into the lesson. What md4c would read in
 * another way than an author means is hidden from it: see `for_md4c`. */
#include "base/file.h"
#include "base/lines.h"
#include "lesson/limits.h"
#include "lesson/problems.h"
#include "model/gpu.h"
#include <ctype.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>

enum part {
    PART_TITLE,
    PART_SUMMARY,
    PART_WORDS,
    PART_AFTER,
    PART_BIG,
    PART_TALLY,
    PART_CHOICES,
    PART_NOTES,
    PART_NONE, /* under a wrong heading */
    PART_WRONG /* the last one */
};
enum { WRONG_MAX = 8 };
enum { HIDDEN_STAR = 1, HIDDEN_UNDERLINE = 2, JOINT = 3 };

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
    const char *path;
    const char *text; /* the source as md4c gets it, with the same lines */
    size_t size;
    struct lesson_problems *problems;
    bool notes; /* the file holds a teacher's notes; a lesson works without them, so its problems are warnings */
    enum part part;
    int wrong;  /* PART_WRONG: index of the choice, or the number of choices */
    int choice; /* PART_CHOICES: index of the next one */
    int beat;   /* the section's beat; -1 before the first */
    bool lost;  /* in a section that belongs to no beat */
    unsigned heading;
    int line; /* of the last heading */
    bool item;
    enum text_style style;
    struct text_builder builder;
    struct section {
        int line;       /* of its `## id`; 0: there is none */
        unsigned parts; /* bit per enum part that it has, of `### wrong` per choice above them */
        int choices;    /* items under `### choices` */
        int choices_line;
    } * sections;
};

/* Lists a problem at a line, under a heading. md4c goes on. */
__attribute__((format(printf, 4, 5))) static int fail_at(struct reader *reader, int line, const char *heading,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *said = arena_format_v(reader->arena, format, arguments);
    va_end(arguments);
    problems_add(reader->problems, &(struct lesson_problem){.level = reader->notes ? PROBLEM_WARNING : PROBLEM_ERROR,
                                                            .file = reader->path,
                                                            .line = line,
                                                            .heading = heading,
                                                            .said = said});
    return 0;
}

static const char *beat_heading(const struct reader *reader, int beat)
{
    return beat >= 0 ? arena_format(reader->arena, "## %s", reader->beats[beat].id) : NULL;
}

/* md4c gives a paragraph in many pieces: the text of a span grows by doubling. */
static void grow_last(struct reader *reader, size_t length)
{
    struct text_builder *builder = &reader->builder;
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
    struct text_builder *builder = &reader->builder;
    if (!builder->spans.count || builder->spans.items[builder->spans.count - 1].style != reader->style) {
        struct text_span const span = {.style = reader->style, .text = ""};
        array_push(&builder->spans, span);
        builder->length = builder->room = 0;
    }
    grow_last(reader, length);
    for (size_t i = 0; i < length && bytes[i]; i++) {
        char const c = bytes[i];
        if (c != JOINT)
            builder->last[builder->length++] = (char)(c == HIDDEN_STAR ? '*' : c == HIDDEN_UNDERLINE ? '_' : c);
    }
}

/* All spans of the block as one text. */
static const char *joined(struct reader *reader)
{
    const struct text_builder *builder = &reader->builder;
    size_t length = 0;
    for (size_t i = 0; i < builder->spans.count; i++)
        length += strlen(builder->spans.items[i].text);
    char *text = arena_alloc(reader->arena, length + 1), *end = text;
    for (size_t i = 0; i < builder->spans.count; i++)
        end = stpcpy(end, builder->spans.items[i].text);
    return text;
}

/* The words under the heading are not taken. */
static void skip_part(struct reader *reader)
{
    reader->part = PART_NONE;
}

/* Notes that the section has the part. bit: of `### wrong`, that of its choice behind the parts. */
static void open_part(struct reader *reader, enum part part, int bit, const char *heading)
{
    struct section *section = &reader->sections[reader->beat];
    unsigned const flag = 1u << bit;
    reader->part = part;
    reader->choice = 0;
    if (section->parts & flag)
        fail_at(reader, reader->line, heading, "`## %s` has this heading twice", reader->beats[reader->beat].id);
    section->parts |= flag;
    if (part == PART_CHOICES)
        section->choices_line = reader->line;
}

/* "wrong 8" replies to the choice 8; "wrong" to every other wrong answer. */
static void open_wrong(struct reader *reader, const char *text, const char *heading)
{
    const struct lesson_beat *beat = &reader->beats[reader->beat];
    reader->wrong = beat->choice_count;
    char *end;
    double const value = text[5] ? strtod(text + 6, &end) : 0;
    for (int i = 0; text[5] && *end == '\0' && i < beat->choice_count; i++)
        if (beat->choices[i] == value)
            reader->wrong = i;
    if (text[5] && reader->wrong == beat->choice_count) {
        fail_at(reader, reader->line, heading, "the beat \"%s\" has no choice \"%s\"", beat->id, text + 6);
        skip_part(reader);
        return;
    }
    int const bit = PART_WRONG + (reader->wrong < WRONG_MAX ? reader->wrong : WRONG_MAX);
    open_part(reader, PART_WRONG, bit, heading);
}

static void open_beat(struct reader *reader, const char *text)
{
    const char *colon = strstr(text, ": ");
    const char *id = colon ? arena_text_n(reader->arena, text, (size_t)(colon - text)) : text;
    const char *heading = arena_format(reader->arena, "## %s", id);
    reader->part = reader->notes ? PART_NOTES : PART_WORDS;
    for (reader->beat = 0; reader->beat < reader->lesson->beat_count; reader->beat++)
        if (strcmp(reader->beats[reader->beat].id, id) == 0)
            break;
    if (reader->beat == reader->lesson->beat_count) {
        fail_at(reader, reader->line, heading, "lesson.yaml has no beat \"%s\"", id);
        reader->beat = -1;
        reader->lost = true;
        skip_part(reader);
        return;
    }
    reader->lost = false;
    if (reader->sections[reader->beat].line)
        fail_at(reader, reader->line, heading, "the beat \"%s\" has two sections", id);
    reader->sections[reader->beat].line = reader->line;
    if (colon && !reader->notes)
        reader->beats[reader->beat].title[reader->language] = colon + 2;
}

/* Returns whether the notes have such a heading. */
static bool open_notes(struct reader *reader, unsigned level, const char *text)
{
    if (level == 1)
        reader->part = PART_NOTES; /* of the whole lesson */
    else if (level == 2)
        open_beat(reader, text);
    return level <= 2;
}

static void close_heading(struct reader *reader)
{
    const char *text = joined(reader);
    unsigned const level = reader->heading;
    reader->heading = 0;
    reader->builder.spans.count = 0;
    if (reader->notes) {
        if (open_notes(reader, level, text))
            return;
        fail_at(reader, reader->line, arena_format(reader->arena, "### %s", text),
                "the heading \"%s\" is none of `# title`, `## beat`", text);
        skip_part(reader);
        return;
    }
    if (level == 1) {
        reader->lesson->title[reader->language] = text;
        reader->part = PART_SUMMARY;
        return;
    }
    if (level == 2) {
        open_beat(reader, text);
        return;
    }
    static const char *const names[] = {"after", "big", "tally", "choices"};
    const char *heading = arena_format(reader->arena, "### %s", text);
    for (unsigned i = 0; level == 3 && i < 4; i++)
        if (strcmp(names[i], text) == 0 && reader->lost)
            return; /* of a section that is none: one problem is enough */
        else if (strcmp(names[i], text) == 0 && reader->beat >= 0) {
            open_part(reader, (enum part)(PART_AFTER + i), (int)(PART_AFTER + i), heading);
            return;
        }
    bool const wrong = level == 3 && strncmp(text, "wrong", 5) == 0 && (text[5] == ' ' || !text[5]);
    if (wrong && reader->beat >= 0)
        open_wrong(reader, text, heading);
    if (wrong && (reader->beat >= 0 || reader->lost))
        return;
    fail_at(reader, reader->line, heading,
            "the heading \"%s\" is none of `# title`, `## beat`, `### choices`, `### wrong`, `### after`, `### big`, "
            "`### tally`",
            text);
    skip_part(reader);
}

/* The paragraphs gathered so far belong to the section that ends here. */
static void close_part(struct reader *reader)
{
    struct text_builder *builder = &reader->builder;
    struct lesson_text text = {NULL, builder->paragraphs.count};
    if (text.count == 0)
        return;
    text.paragraphs = arena_list(reader->arena, builder->paragraphs);
    builder->paragraphs.count = 0;
    struct lesson_beat *beat = reader->beat >= 0 ? &reader->beats[reader->beat] : NULL;
    if (beat && reader->part == PART_WORDS)
        beat->words[reader->language] = text;
    else if (beat && reader->part == PART_AFTER)
        beat->after[reader->language] = text;
    else if (beat && reader->part == PART_WRONG)
        beat->wrong[reader->language][reader->wrong] = text;
    else if (reader->part == PART_NOTES)
        *(beat ? &beat->notes[reader->language] : &reader->lesson->notes[reader->language]) = text;
}

static void close_paragraph(struct reader *reader)
{
    struct text_builder *builder = &reader->builder;
    if (builder->spans.count == 0)
        return;
    if (reader->part == PART_SUMMARY) {
        reader->lesson->summary[reader->language] = joined(reader);
    } else if (reader->part == PART_BIG && reader->beat >= 0) {
        const char *words = joined(reader);
        reader->beats[reader->beat].big_words[reader->language] =
            strstr(words, "{}") ? words : arena_format(reader->arena, "{} %s", words);
    } else if (reader->part == PART_TALLY && reader->beat >= 0) {
        reader->beats[reader->beat].tally[reader->language] = joined(reader);
    } else if (reader->part == PART_CHOICES && !reader->item) {
        fail_at(reader, reader->line, beat_heading(reader, reader->beat),
                "`### choices` holds a list with `-`, and nothing else");
    } else if (reader->part == PART_CHOICES && reader->beat >= 0) {
        struct lesson_beat *beat = &reader->beats[reader->beat];
        if (!beat->choice_words[reader->language])
            beat->choice_words[reader->language] =
                arena_array(reader->arena, const char *, (size_t)beat->choice_count + 1);
        if (reader->choice < beat->choice_count)
            beat->choice_words[reader->language][reader->choice] = joined(reader);
        reader->choice++;
        reader->sections[reader->beat].choices = reader->choice;
    } else {
        struct text_span *spans = arena_list(reader->arena, builder->spans);
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
        reader->line = 0;
    } else if (type == MD_BLOCK_LI) {
        close_paragraph(reader);
        reader->item = true;
    } else if (type != MD_BLOCK_P && type != MD_BLOCK_DOC && type != MD_BLOCK_UL) {
        fail_at(reader, reader->line, beat_heading(reader, reader->beat),
                "a lesson's text may contain only headings, paragraphs and lists with `-`; below this heading stands "
                "something else");
    }
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reader *reader = context;
    (void)detail;
    if (type == MD_BLOCK_H)
        close_heading(reader);
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
    struct reader *reader = context;
    bool const in_file = text >= reader->text && text < reader->text + reader->size; /* md4c has texts of its own */
    if (reader->heading && !reader->line && in_file)
        reader->line = (int)line_of(reader->text, text);
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR)
        add_text(context, reader->part == PART_BIG ? "\n" : " ", 1);
    else
        add_text(context, text, size);
    return 0;
}

static void check_section(struct reader *reader, int index)
{
    const struct lesson_beat *beat = &reader->beats[index];
    const struct section *section = &reader->sections[index];
    const char *heading = beat_heading(reader, index);
    bool const asks = beat->kind != BEAT_TELL && beat->kind != BEAT_REMEMBER;
    if (beat->words[reader->language].count == 0)
        fail_at(reader, section->line, heading, "there is no text for this beat of lesson.yaml");
    if (!section->line)
        return;
    if (asks && beat->after[reader->language].count == 0)
        fail_at(reader, section->line, heading, "there is no `### after`, although this beat asks something");
    if (section->choices && section->choices != beat->choice_count)
        fail_at(reader, section->choices_line, heading, "`### choices` names %d, but the beat has %d", section->choices,
                beat->choice_count);
    if (beat->big && !beat->big_words[reader->language])
        fail_at(reader, section->line, heading, "there is no `### big`, although this beat shows a number");
}

static void check_complete(struct reader *reader)
{
    for (int i = 0; reader->notes && i < reader->lesson->beat_count; i++)
        if (reader->beats[i].notes[reader->language].count == 0)
            fail_at(reader, reader->sections[i].line, beat_heading(reader, i),
                    "there are no notes for this beat of lesson.yaml");
    if (reader->notes)
        return;
    if (!reader->lesson->title[reader->language] || !reader->lesson->summary[reader->language])
        fail_at(reader, 1, NULL, "needs a `# title` and a paragraph under it that summarizes the lesson");
    for (int i = 0; i < reader->lesson->beat_count; i++)
        check_section(reader, i);
}

/* Checks that GPU_DEFAULT has every figure of a GPU that an expression names: "{gpu_shared_latency}". */
static void check_gpu_facts(struct reader *reader)
{
    struct arena arena = {0};
    struct gpu gpu;
    struct error error = {0};
    size_t const prefix = strlen(GPU_WORD);
    bool known = false, failed = false;
    int depth = 0, line = 1;
    for (const char *c = reader->text; *c && !failed; c++) {
        depth += (*c == '{') - (*c == '}' && depth > 0);
        line += *c == '\n';
        bool const begins = c == reader->text || !(c[-1] == '_' || isalnum((unsigned char)c[-1]));
        if (depth == 0 || !begins || strncmp(c, GPU_WORD, prefix) != 0)
            continue;
        if (!known && !(known = gpu_read(&arena, GPU_DEFAULT, &gpu, &error))) {
            problems_add_error(reader->problems, &error);
            failed = true;
            continue;
        }
        size_t length = prefix;
        while (c[length] == '_' || isalnum((unsigned char)c[length]))
            length++;
        if (!gpu_find(&gpu, arena_text_n(&arena, c + prefix, length - prefix)))
            fail_at(reader, line, NULL, "%.*s: assets/gpus/%s.yaml has no fact '%.*s'", (int)length, c, GPU_DEFAULT,
                    (int)(length - prefix), c + prefix);
    }
    arena_free(&arena);
}

static bool is_letter_of_hangul(const char *text)
{
    return (unsigned char)text[0] >= 0xea && (unsigned char)text[0] <= 0xed;
}

/* Returns whether the asterisks from `from` to `to` stand between punctuation and Hangul: "**4 ms (1)**입니다". There
 * Markdown sees neither the end of a word nor its start. */
static bool is_against_hangul(const char *text, const char *from, const char *to)
{
    bool const after = from > text && ispunct((unsigned char)from[-1]) && is_letter_of_hangul(to);
    return after || (from - text >= 3 && is_letter_of_hangul(from - 3) && ispunct((unsigned char)*to));
}

/* Returns the text as md4c should read it, with the same lines: no emphasis by underlines ("__constant__"), none by the
 * asterisks of an {expression}, and asterisks between punctuation and Hangul as if only letters stood around them. */
static char *for_md4c(struct reader *reader, const char *text)
{
    char *hidden = arena_alloc(reader->arena, 3 * reader->size + 1), *to = hidden;
    int depth = 0;
    for (const char *c = text; *c;) {
        size_t const stars = depth ? 0 : strspn(c, "*");
        bool const joint = stars && is_against_hangul(text, c, c + stars);
        depth += (*c == '{') - (*c == '}' && depth > 0);
        if (joint)
            *to++ = JOINT;
        for (size_t i = 0; i < stars; i++)
            *to++ = *c++;
        if (joint)
            *to++ = JOINT;
        if (!stars) {
            *to++ = (char)(*c == '*' ? HIDDEN_STAR : *c == '_' ? HIDDEN_UNDERLINE : *c);
            c++;
        }
    }
    reader->size = (size_t)(to - hidden);
    return hidden;
}

/* Splits the file, and puts its pieces into the lesson. */
static void read_text(struct reader *reader, const char *text)
{
    reader->text = text;
    reader->sections = arena_array(reader->arena, struct section, (size_t)reader->lesson->beat_count);
    check_gpu_facts(reader);
    reader->text = text = for_md4c(reader, text);
    MD_PARSER const parser = {.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = take_text};
    int const result = md_parse(text, (MD_SIZE)reader->size, &parser, reader);
    free(reader->builder.paragraphs.items);
    free(reader->builder.spans.items);
    if (result != 0)
        fail_at(reader, 0, NULL, "cannot be read as Markdown");
    else
        check_complete(reader);
}

static struct reader reader_of(struct lesson *lesson, struct lesson_beat *beats, enum language language,
                               const char *name, struct lesson_problems *problems)
{
    return (struct reader){.lesson = lesson,
                           .beats = beats,
                           .arena = &lesson->arena,
                           .language = language,
                           .path = arena_format(&lesson->arena, "%s/%s", lesson->folder, name),
                           .problems = problems,
                           .beat = -1};
}

void words_read(struct lesson *lesson, struct lesson_beat *beats, enum language language, const char *name,
                struct lesson_problems *problems)
{
    struct reader reader = reader_of(lesson, beats, language, name, problems);
    char *text;
    struct error error;
    if (!path_inside(&lesson->arena, lesson->folder, name, &error)) {
        problems_add_error(problems, &error);
        return;
    }
    if (!file_read(&lesson->arena, reader.path, &text, &reader.size, &error)) {
        error_remedy(&error, "every lesson has en.md and ko.md");
        problems_add_error(problems, &error);
        return;
    }
    if (limits_allow_text(reader.path, text, reader.size, &error))
        read_text(&reader, text);
    else
        problems_add_error(problems, &error);
}

void notes_read(struct lesson *lesson, struct lesson_beat *beats, enum language language, const char *name,
                struct lesson_problems *problems)
{
    struct reader reader = reader_of(lesson, beats, language, name, problems);
    reader.notes = true;
    char *text;
    struct error error;
    if (!file_exists(reader.path))
        return;
    if (path_inside(&lesson->arena, lesson->folder, name, &error) &&
        file_read(&lesson->arena, reader.path, &text, &reader.size, &error) &&
        limits_allow_text(reader.path, text, reader.size, &error))
        read_text(&reader, text);
    else
        fail_at(&reader, 0, NULL, "%s", error.message);
}
