#include "lesson/chapters.h"
#include "base/file.h"
#include "base/schema.h"
#include <cyaml/cyaml.h>
#include <string.h>

struct raw_title {
    char *en, *ko;
};
struct raw_chapter {
    struct raw_title title;
    char **lessons;
    unsigned lessons_count;
};
struct raw_file {
    struct raw_chapter *chapters;
    unsigned chapters_count;
};

static const cyaml_schema_value_t name_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
static const cyaml_schema_field_t title_fields[] = {
    CYAML_FIELD_STRING_PTR("en", CYAML_FLAG_POINTER, struct raw_title, en, 0, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("ko", CYAML_FLAG_POINTER, struct raw_title, ko, 0, CYAML_UNLIMITED), CYAML_FIELD_END};
static const cyaml_schema_field_t chapter_fields[] = {
    CYAML_FIELD_MAPPING("title", CYAML_FLAG_DEFAULT, struct raw_chapter, title, title_fields),
    CYAML_FIELD_SEQUENCE("lessons", CYAML_FLAG_POINTER, struct raw_chapter, lessons, &name_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_END};
static const cyaml_schema_value_t chapter_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_chapter, chapter_fields)};
static const cyaml_schema_field_t file_fields[] = {CYAML_FIELD_SEQUENCE("chapters", CYAML_FLAG_POINTER, struct raw_file,
                                                                        chapters, &chapter_schema, 0, CYAML_UNLIMITED),
                                                   CYAML_FIELD_END};
static const cyaml_schema_value_t file_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_file, file_fields)};

size_t chapters_load(struct arena *arena, const struct chapter **chapters, struct error *error)
{
    const char *path = data_path(arena, "assets/chapters.yaml");
    char *text;
    size_t size;
    void *loaded;
    *chapters = NULL;
    if (!file_read(arena, path, &text, &size, error) ||
        !schema_load(arena, path, text, size, &file_schema, &loaded, error))
        return 0;
    const struct raw_file *file = loaded;
    struct chapter *list = arena_array(arena, struct chapter, file->chapters_count);
    for (unsigned i = 0; i < file->chapters_count; i++) {
        const struct raw_chapter *raw = &file->chapters[i];
        list[i] = (struct chapter){
            .title = {raw->title.en, raw->title.ko}, .lessons = raw->lessons, .lesson_count = raw->lessons_count};
    }
    *chapters = list;
    return file->chapters_count;
}

size_t chapter_of(const struct chapter *chapters, size_t count, const char *lesson)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < chapters[i].lesson_count; k++)
            if (strcmp(chapters[i].lessons[k], lesson) == 0)
                return i;
    return count;
}
