/* Lines of addresses, with libdw. */
#include "base/file.h"
#include "program/program.h"
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct places {
    int file;
    Dwarf *dwarf;
};

struct places *places_open(const char *path)
{
    struct places *places = calloc(1, sizeof *places);
    if (!places)
        return NULL;
    places->file = open(path, O_RDONLY | O_CLOEXEC);
    places->dwarf = places->file >= 0 ? dwarf_begin(places->file, DWARF_C_READ) : NULL;
    return places;
}

/* Finds the compilation unit of an address. clang writes no table of them, so that all are asked. */
static bool unit_of(Dwarf *dwarf, uint64_t address, Dwarf_Die *unit)
{
    size_t header;
    for (Dwarf_Off at = 0, next; dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next)
        if (dwarf_offdie(dwarf, at + header, unit) && dwarf_haspc(unit, address) > 0)
            return true;
    return false;
}

struct program_place places_find(struct arena *arena, struct places *places, uint64_t address)
{
    struct program_place place = {.file = ""};
    Dwarf_Die unit;
    if (!places || !places->dwarf || !unit_of(places->dwarf, address, &unit))
        return place;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (!file || dwarf_lineno(line, &place.line) != 0)
        return (struct program_place){.file = ""};
    place.path = arena_text(arena, file);
    place.file = path_name(place.path);
    dwarf_linecol(line, &place.column);
    return place;
}

void places_close(struct places *places)
{
    if (!places)
        return;
    if (places->dwarf)
        dwarf_end(places->dwarf);
    if (places->file >= 0)
        close(places->file);
    free(places);
}
