/* The data of a report. A datum is described once, by a row with its key in JSON, its value, and the head of its column
 * in text; rows are written as an object of JSON or as a line of a table. */
#ifndef LANESCOPE_REPORT_DATUM_H
#define LANESCOPE_REPORT_DATUM_H
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct datum {
    const char *key;  /* in JSON; NULL: in text alone */
    json_t *value;    /* whoever writes the row takes it over; NULL: there is no such datum */
    const char *head; /* of its column, in English; NULL: in JSON alone */
    const char *cell; /* the text of its cell; NULL: the value, which is a number */
};

/* Returns a number, a truth, a text (NULL: null), or three sizes as the value of a row. */
#define VALUE(x)                                                                                                       \
    _Generic((x), bool: datum_truth, double: json_real, int: json_integer, long: json_integer, long long: json_integer, char *: datum_text,     \
             const char *: datum_text, uint32_t *: datum_sizes, const uint32_t *: datum_sizes, default: datum_count)(x)
#define VALUE_OR_NULL(known, x) ((known) ? VALUE(x) : json_null())
json_t *datum_truth(bool truth);
json_t *datum_count(uint64_t count);
json_t *datum_text(const char *text);
json_t *datum_sizes(const uint32_t sizes[3]);
/* Returns a list of two numbers. */
json_t *datum_range(uint64_t first, uint64_t last);

/* The way that rows are written. */
struct datum_writer {
    json_t *object; /* gets the data; NULL: they are cells of a table */
    FILE *out;
    int columns; /* of a cell */
    bool heads;  /* writes the heads of the columns, not the cells */
};
void datum_write(const struct datum_writer *to, const struct datum *rows);
/* Writes text in so many columns. right: aligned to the right. Letters of Korean are two columns wide. */
void datum_cell(FILE *out, const char *text, int columns, bool right);
/* Adds rows to an object, and returns it. */
json_t *datum_add(json_t *object, const struct datum *rows);

/* Rows of JSON alone: a value of the types above, or a json_t that the row takes over. */
#define DATUM(key, x) ITEM(key, VALUE(x))
#define ITEM(key, json)                                                                                                \
    {                                                                                                                  \
        key, json, NULL, NULL                                                                                          \
    }
#define DATA(...) ((const struct datum[]){__VA_ARGS__, {NULL, NULL, NULL, NULL}})
#define OBJECT(...) datum_add(json_object(), DATA(__VA_ARGS__))
#endif
