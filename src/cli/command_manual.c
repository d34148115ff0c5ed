/* `manual`: the page of the manual, in the markup of man(7), from the same tables as the help. */
#include "base/words.h"
#include "cli/cli.h"
#include <stdio.h>
#include <string.h>

/* Prints text in which nothing is markup. first: it begins a line. */
static void text(const char *words, bool first)
{
    for (const char *c = words; *c; c++) {
        if (first && (*c == '.' || *c == '\''))
            fputs("\\&", stdout);
        first = *c == '\n';
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout); /* a hyphen that can be copied to a shell */
        else
            putchar(*c);
    }
}

static void paragraph(const char *words)
{
    fputs(".PP\n", stdout);
    text(words, true);
    putchar('\n');
}

/* Prints a line in bold letters and another in plain ones behind it. */
static void head(const char *macro, const char *bold, const char *plain)
{
    printf("%s\n\\fB", macro);
    text(bold, false);
    fputs("\\fR", stdout);
    if (*plain)
        putchar(' ');
    text(plain, false);
    putchar('\n');
}

static void entry(const char *term, const char *meaning)
{
    head(".TP", term, "");
    text(meaning, true);
    putchar('\n');
}

static void section(const char *name)
{
    fputs(".SH ", stdout);
    text(name, false);
    putchar('\n');
}

static void command_section(const struct cli_command *command, struct arena *arena)
{
    head(".TP", command == &cli_commands[0] ? "lanescope" : arena_format(arena, "lanescope %s", command->name),
         command->usage);
    text(_(command->summary), true);
    fputs(".\n", stdout);
    struct cli_option option;
    const char *between = "\n.br\n";
    for (int i = 0; cli_option_at(command, i, &option); i++, between = ", ") {
        fputs(between, stdout);
        text(arena_format(arena, "--%s", option.name), false);
    }
    putchar('\n');
}

/* Prints every option once, in the order of the table. */
static void option_section(struct arena *arena)
{
    struct cli_option option;
    for (int i = 0; cli_option_at(NULL, i, &option); i++) {
        const char *const name = option.letter ? arena_format(arena, "-%c, --%s", option.letter, option.name)
                                               : arena_format(arena, "--%s", option.name);
        head(".TP", name, option.value ? option.value : "");
        for (const char *line = _(option.help); *line;) {
            size_t const length = strcspn(line, "\n");
            text(arena_text_n(arena, line, length), true);
            fputs(line[length] ? "\n.br\n" : "\n", stdout);
            line += length + (line[length] == '\n');
        }
    }
}

int command_manual(struct cli_options *options)
{
    if (options->targets.count)
        return cli_usage("manual takes no arguments, but '%s' was given", options->targets.items[0]);
    struct arena *const arena = &options->arena;
    puts(".TH LANESCOPE 1 \"\" \"Lanescope " LANESCOPE_VERSION "\"");
    puts(".nh\n.ad l");
    section(_("NAME"));
    fputs("lanescope \\- ", stdout);
    text(_("show what CUDA kernels do to memory, lane by lane"), false);
    putchar('\n');
    section(_("DESCRIPTION"));
    paragraph(_("Lanescope runs a CUDA kernel, or a whole CUDA program, on a GPU or on its own emulator, records the "
                "access of every lane, counts and checks it, and shows the record in a window. It comes with lessons "
                "that teach how kernels use memory."));
    section(_("COMMANDS"));
    for (size_t i = 0; i < cli_command_count; i++)
        command_section(&cli_commands[i], arena);
    section(_("OPTIONS"));
    option_section(arena);
    section(_("EXIT STATUS"));
    entry("0", _("success"));
    entry("1", _("a fault, a hazard or a difference was found"));
    entry("2", _("the command line, a file or the kernel is wrong"));
    entry("3", _("this machine lacks something that was asked for"));
    section(_("ENVIRONMENT"));
    entry("LANESCOPE_DATA", _("folder of lessons, kernels and assets, if they are not beside the program"));
    entry("LANESCOPE_TIER", _("`interpreter` or `compiled`: whether the emulator compiles kernels for this processor; "
                              "otherwise it does so for long launches"));
    entry("LANESCOPE_LINKS", _("address of the page for browsers, to which Ctrl + L in the window makes links"));
    entry("LANESCOPE_COMPILER_SECONDS", _("seconds after which a compiler is ended"));
    entry(
        "XDG_CACHE_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
        _("folders of compiled kernels, of the user's lessons, and of progress and preferences, each in `lanescope`"));
    section(_("EXAMPLES"));
    for (size_t i = 0; i < cli_command_count; i++) {
        fputs(".PP\n.EX\n", stdout);
        text(cli_commands[i].example, true);
        fputs("\n.EE\n", stdout);
    }
    return CLI_FINE;
}
