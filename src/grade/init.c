/* A first rubric for a program: what most assignments ask, for the teacher to change. */
#include "base/file.h"
#include "base/words.h"
#include "grade/grade.h"
#include "source/kernel.h"
#include "source/knobs.h"
#include "source/tokens.h"
#include <string.h>

struct proposal {
    struct arena *arena;
    const char *name;
    const char *text;   /* of the program */
    const char *result; /* the rubric so far */
    long long block;    /* the threads of a block along one side */
    bool reads_words, prints_passed;
};

__attribute__((format(printf, 2, 3))) static void add(struct proposal *proposal, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *more = arena_format_v(proposal->arena, format, arguments);
    va_end(arguments);
    proposal->result = arena_format(proposal->arena, "%s%s", proposal->result, more);
}

/* Returns the side of a block that the source names or gives, else 32. */
static long long block_of(struct arena *arena, const char *text)
{
    struct source_knobs *knobs = arena_new(arena, struct source_knobs);
    source_knobs_find(arena, text, NULL, 0, knobs);
    for (size_t i = 0; i < knobs->count; i++)
        if (knobs->items[i].role == SOURCE_KNOB_BLOCK && knobs->items[i].value > 1)
            return knobs->items[i].value;
    return 32;
}

/* Returns whether the tokens have the name followed by a mark. */
static bool has_name(const struct source *source, const char *name, const char *mark)
{
    for (uint32_t i = 0; i + 1 < source->count; i++)
        if (source_is(&source->tokens[i], name) && (!mark || source_is(&source->tokens[i + 1], mark)))
            return true;
    return false;
}

static void add_runs(struct proposal *proposal)
{
    long long const b = proposal->block;
    struct {
        const char *name;
        long long size;
    } const sizes[] = {{"zero", 0},      {"one", 1},         {"below", b - 1},     {"block", b},
                       {"above", b + 1}, {"several", 4 * b}, {"ragged", 4 * b + 3}};
    add(proposal,
        "# Sizes around a multiple of the block (%lld) find most mistakes at edges. Take out those that the\n"
        "# assignment does not ask for. Words in braces are expressions over the sizes.\nruns:\n",
        b);
    if (!proposal->reads_words) {
        add(proposal,
            "  - run: once # the program takes no arguments: let main(int argc, char **argv) read the size\n");
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        add(proposal, "  - run: %s\n    sizes: [n=%lld]\n    arguments: [\"{n}\"]\n", sizes[i].name, sizes[i].size);
}

static void add_rules(struct proposal *proposal)
{
    add(proposal,
        "\n# Each rule has points, and one of prints, output, reference, status, without, holds, uses, lacks.\n"
        "rules:\n");
    if (proposal->prints_passed)
        add(proposal, "  - rule: The program finds its result right\n    ko: 프로그램의 결과가 맞다\n    name: right\n"
                      "    points: 4\n    prints: PASSED\n");
    else
        add(proposal, "  - rule: The output is that of the reference\n    ko: 출력이 정답과 같다\n    name: right\n"
                      "    points: 4\n    reference: output\n    tolerance: 1e-5\n");
    add(proposal, "  - rule: It ends with exit status 0\n    ko: 종료 상태가 0이다\n    points: 1\n    status: 0\n");
    add(proposal, "  - rule: No access out of bounds, no race, no other mistake\n"
                  "    ko: 범위를 벗어난 접근, 경쟁 상태, 그 밖의 실수가 없다\n    points: 3\n    needs: right\n"
                  "    without: [any]\n");
    add(proposal, "  - rule: Every allocation is freed\n    ko: 할당한 메모리를 모두 해제한다\n    points: 1\n"
                  "    needs: right\n    without: [leak]\n");
    add(proposal,
        "  - rule: Loads of global memory fetch at most 4 sectors a request\n"
        "    ko: 전역 메모리 읽기가 요청마다 섹터 4개를 넘지 않는다\n    points: 1\n    needs: right\n"
        "    lesson: coalescing\n    runs: [%s]\n"
        "    holds: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum <= 4 * "
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\n",
        proposal->reads_words ? "several" : "once");
}

bool grade_propose(struct arena *arena, const char *path, const char **text, struct error *error)
{
    char *source_text;
    size_t size;
    if (!path_ends_with(path, ".cu"))
        return error_at(error, ERROR_INPUT, path, 0, 0, "is no .cu file");
    if (!file_read(arena, path, &source_text, &size, error))
        return false;
    if (!source_has_main(source_text)) {
        error_at(error, ERROR_INPUT, path, 0, 0, "has no main()");
        return error_remedy(error, "give the program that the kernel is handed in with; docs/teaching.md has a rubric "
                                   "for a kernel alone");
    }
    const struct source *source = source_read(arena, source_text, NULL, 0, SOURCE_ALL);
    struct proposal proposal = {.arena = arena,
                                .name = path_name(path),
                                .text = source_text,
                                .result = "",
                                .block = block_of(arena, source_text),
                                .reads_words = has_name(source, "argv", "["),
                                .prints_passed = strstr(source_text, "PASSED") != NULL};
    add(&proposal, "# A first rubric for %s, to be changed: lanescope grade THIS.yaml FOLDER-OF-SUBMISSIONS\n",
        proposal.name);
    add(&proposal,
        "title: %.*s\nfile: %s # the name of what is handed in\nreference: %s # a right solution; without "
        "one, leave this line out\n\n",
        (int)strlen(proposal.name) - 3, proposal.name, proposal.name, proposal.name);
    add_runs(&proposal);
    add_rules(&proposal);
    *text = proposal.result;
    return true;
}
