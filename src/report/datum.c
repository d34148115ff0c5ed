#include "report/datum.h"
#include "base/words.h"

json_t *datum_truth(bool truth)
{
    return json_boolean(truth);
}

json_t *datum_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *datum_text(const char *text)
{
    return text ? json_string(text) : json_null();
}

json_t *datum_sizes(const uint32_t sizes[3])
{
    return json_pack("[I,I,I]", (json_int_t)sizes[0], (json_int_t)sizes[1], (json_int_t)sizes[2]);
}

json_t *datum_range(uint64_t first, uint64_t last)
{
    return json_pack("[I,I]", (json_int_t)first, (json_int_t)last);
}

void datum_cell(FILE *out, const char *text, int columns, bool right)
{
    int used = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        used += (*c & 0xc0) == 0x80 ? 0 : *c >= 0xe1 && *c <= 0xed ? 2 : 1;
    int const space = columns > used ? columns - used : 0;
    fprintf(out, "%*s%s%*s", right ? space : 0, "", text, right ? 0 : space, "");
}

void datum_write(const struct datum_writer *to, const struct datum *rows)
{
    for (; rows->key || rows->head; rows++) {
        char number[24];
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(rows->value));
        if (to->object && rows->key)
            json_object_set(to->object, rows->key, rows->value);
        else if (!to->object && rows->head && (to->heads || rows->value))
            datum_cell(to->out, to->heads ? _(rows->head) : rows->cell ? rows->cell : number, to->columns, true);
        json_decref(rows->value);
    }
}

json_t *datum_add(json_t *object, const struct datum *rows)
{
    datum_write(&(struct datum_writer){.object = object}, rows);
    return object;
}
