/* Tables of kinds, forms and their arguments, and the order in which findings are shown. */
#include "trace/finding.h"
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[] = {
#define FINDING_KIND(name, word) word,
#include "trace/findings.def"
};

#define FIELD(member, type, most)                                                                                      \
    {                                                                                                                  \
#member, FINDING_##type, offsetof(struct finding, member), (most)                                              \
    }
#define NUMBER(member) FIELD(member, NUMBER, UINT32_MAX)
#define LONG(member) FIELD(member, NUMBER64, UINT64_MAX)
#define LIST(name, ...) static const struct finding_field name##_fields[] = {__VA_ARGS__, {0}}

LIST(text, FIELD(text.word, STRING, 0), FIELD(text.text, STRING, 0));
LIST(memory, FIELD(memory.space, NUMBER, PTX_SPACE_REGISTER), FIELD(memory.access, NUMBER, FINDING_ATOMIC),
     NUMBER(memory.bytes), FIELD(memory.offset, SIGNED64, 0), LONG(memory.space_bytes), FIELD(memory.dynamic, FLAG, 1),
     FIELD(memory.name, STRING, 0), LONG(memory.base), LONG(memory.size), FIELD(memory.side, NUMBER, FINDING_AFTER),
     LONG(memory.distance), FIELD(memory.indexed, FLAG, 1), FIELD(memory.index, SIGNED64, 0),
     FIELD(memory.inside, STRING, 0));
LIST(copy, LONG(copy.bytes), LONG(copy.from), LONG(copy.to));
LIST(race, FIELD(race.order, NUMBER, FINDING_WRITE_AFTER_WRITE), FIELD(race.space, NUMBER, PTX_SPACE_REGISTER),
     FIELD(race.first.site, SITE, 0), FIELD(race.first.file, FILE, 0), FIELD(race.first.line, NUMBER, INT32_MAX),
     FIELD(race.first.column, NUMBER, INT32_MAX), FIELD(race.first.near, FLAG, 1), LONG(race.first.block),
     FIELD(race.first.thread[0], NUMBER, 1023), FIELD(race.first.thread[1], NUMBER, 1023),
     FIELD(race.first.thread[2], NUMBER, 1023));
LIST(barrier, LONG(barrier.number), LONG(barrier.expected), NUMBER(barrier.threads), NUMBER(barrier.arrived),
     NUMBER(barrier.warp), NUMBER(barrier.line));
LIST(mbarrier, LONG(mbarrier.offset), FIELD(mbarrier.missing, SIGNED64, 0), FIELD(mbarrier.expected, SIGNED64, 0),
     FIELD(mbarrier.bytes, SIGNED64, 0), FIELD(mbarrier.arrivals, SIGNED64, 0), FIELD(mbarrier.most, SIGNED64, 0));
LIST(mask, NUMBER(mask.lane), NUMBER(mask.mask), NUMBER(mask.here), NUMBER(mask.missing));
LIST(loop, NUMBER(loop.warp), NUMBER(loop.other_blocks), LONG(loop.instructions));
LIST(stack, LONG(stack.wanted), LONG(stack.size), LONG(stack.left), NUMBER(stack.depth));
LIST(assertion, FIELD(assertion.text, STRING, 0), FIELD(assertion.function, STRING, 0),
     FIELD(assertion.file, STRING, 0), NUMBER(assertion.line));
LIST(branch, LONG(branch.index), NUMBER(branch.targets));
LIST(call, FIELD(call.function, STRING, 0));
static const struct finding_field none_fields[] = {{0}};

static const struct form {
    const char *word;
    enum finding_kind kind;
    enum finding_class class;
    const struct finding_field *fields; /* up to one without a name */
} forms[] = {
#define FINDING_FORM(name, word, kind, class, arguments) {word, FINDING_##kind, FINDING_##class, arguments##_fields},
#include "trace/findings.def"
};

_Static_assert(sizeof forms / sizeof *forms == FINDING_FORMS, "a form a row");
_Static_assert(sizeof(enum finding_side) == sizeof(uint32_t), "enums are read as numbers");

enum finding_kind finding_kind_of(enum finding_form form)
{
    return forms[form].kind;
}

enum finding_class finding_class_of(const struct finding *finding)
{
    return forms[finding->form].class;
}

const char *finding_word(const struct finding *finding)
{
    return finding->kind == FINDING_OTHER ? finding->text.word : kind_words[finding->kind];
}

enum finding_kind finding_kind_of_word(const char *word)
{
    for (size_t kind = 0; kind < FINDING_KINDS; kind++)
        if (strcmp(kind_words[kind], word) == 0)
            return (enum finding_kind)kind;
    return FINDING_OTHER;
}

const char *finding_form_word(enum finding_form form)
{
    return forms[form].word;
}

enum finding_form finding_form_of_word(const char *word)
{
    size_t form = 0;
    while (form < FINDING_FORMS && strcmp(forms[form].word, word) != 0)
        form++;
    return (enum finding_form)form;
}

const struct finding_field *finding_fields(enum finding_form form, size_t *count)
{
    for (*count = 0; forms[form].fields[*count].name; (*count)++)
        ;
    return forms[form].fields;
}

uint64_t finding_number(const struct finding *finding, const struct finding_field *field)
{
    const char *at = (const char *)finding + field->offset;
    if (field->type == FINDING_FLAG)
        return *(const bool *)at;
    if (field->type == FINDING_NUMBER64 || field->type == FINDING_SIGNED64)
        return *(const uint64_t *)at;
    return *(const uint32_t *)at;
}

void finding_set_number(struct finding *finding, const struct finding_field *field, uint64_t number)
{
    char *at = (char *)finding + field->offset;
    if (field->type == FINDING_FLAG)
        *(bool *)at = number != 0;
    else if (field->type == FINDING_NUMBER64 || field->type == FINDING_SIGNED64)
        *(uint64_t *)at = number;
    else
        *(uint32_t *)at = (uint32_t)number;
}

const char *finding_string(const struct finding *finding, const struct finding_field *field)
{
    const char *text = *(const char *const *)((const char *)finding + field->offset);
    return text ? text : "";
}

void finding_set_string(struct finding *finding, const struct finding_field *field, const char *text)
{
    *(const char **)((char *)finding + field->offset) = text;
}

struct finding finding_copied(struct arena *arena, const struct finding *finding)
{
    struct finding copy = *finding;
    size_t count;
    const struct finding_field *fields = finding_fields(finding->form, &count);
    for (size_t i = 0; i < count; i++)
        if (fields[i].type == FINDING_STRING)
            finding_set_string(&copy, &fields[i], arena_text(arena, finding_string(finding, &fields[i])));
    struct finding_wait *waits = arena_array(arena, struct finding_wait, finding->wait_count);
    for (uint32_t i = 0; i < finding->wait_count; i++)
        waits[i] = finding->waits[i];
    copy.waits = waits;
    return copy;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_class_and_place(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int const class = compare(finding_class_of(a), finding_class_of(b)), block = compare(a->at.block, b->at.block);
    if (class || block)
        return class ? class : block;
    int const first = finding_is_race(a) ? compare(a->race.first.site, b->race.first.site) : 0;
    if (first)
        return first;
    return a->at.site != b->at.site ? compare(a->at.site, b->at.site) : compare(a->time, b->time);
}

/* Returns whether a race may have caused a fault or a note. A run keeps a race once, from the lowest block that has it;
 * it is taken to happen in all blocks above as well. */
static bool may_cause(const struct finding *race, const struct finding *finding)
{
    uint64_t const block = finding->at.block;
    if (race->at.block == block || race->race.first.block == block)
        return race->time <= finding->time;
    return race->at.block < block;
}

void findings_sort(struct finding *findings, uint32_t count)
{
    if (count < 2)
        return;
    qsort(findings, count, sizeof *findings, by_class_and_place);
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t k = at + 1; k < count && !finding_is_race(&findings[at]); k++) {
            if (!finding_is_race(&findings[k]) || !may_cause(&findings[k], &findings[at]))
                continue;
            struct finding const race = findings[k];
            memmove(&findings[at + 1], &findings[at], (k - at) * sizeof *findings);
            findings[at++] = race;
        }
}
