/* `complete`: the script that a shell reads once, and the words with which a command line could go on. */
#include "base/words.h"
#include "cli/cli.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The scripts only ask `lanescope complete -- WORDS`, so that they need not change with the program. Lines of the
 * answer are a word, a tab, what it means. The last line may be `:files`: names of files fit, too. */
static const char bash[] =
    "_lanescope() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} words=() word tail\n"
    "    read -ra words <<<\"$line\"\n"
    "    [[ $line == *[[:space:]] ]] && words+=('')\n"
    "    word=${words[-1]} tail=''\n"
    "    [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && tail=${word%\"${word##*=}\"}\n"
    "    COMPREPLY=()\n"
    "    while IFS=$'\\t' read -r word _; do\n"
    "        if [[ $word == :files ]]; then\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -f -- \"${words[-1]}\")\n"
    "        else\n"
    "            [[ $word == *= ]] && compopt -o nospace 2>/dev/null\n"
    "            COMPREPLY+=(\"${word#\"$tail\"}\")\n"
    "        fi\n"
    "    done < <(\"${words[0]}\" complete -- \"${words[@]:1}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _lanescope lanescope\n";
static const char zsh[] =
    "#compdef lanescope\n"
    "_lanescope() {\n"
    "    local line word meaning files=0\n"
    "    local -a plain begun plain_words begun_words\n"
    "    while IFS=$'\\t' read -r word meaning; do\n"
    "        line=$word; [[ -n $meaning ]] && line=\"$word  -- $meaning\"\n"
    "        case $word in\n"
    "            :files) files=1 ;;\n"
    "            *=) begun_words+=(\"$word\"); begun+=(\"$line\") ;;\n"
    "            *) plain_words+=(\"$word\"); plain+=(\"$line\") ;;\n"
    "        esac\n"
    "    done < <(\"${words[1]}\" complete -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    (( $#plain )) && compadd -l -d plain -a plain_words\n"
    "    (( $#begun )) && compadd -S '' -l -d begun -a begun_words\n"
    "    (( files )) && _files\n"
    "}\n"
    "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _lanescope \"$@\"; else compdef _lanescope lanescope; fi\n";
static const char fish[] = "function __lanescope_complete\n"
                           "    set -l words (commandline -opc) (commandline -ct)\n"
                           "    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)\n"
                           "        if test $line = :files\n"
                           "            __fish_complete_path (commandline -ct)\n"
                           "        else\n"
                           "            echo $line\n"
                           "        end\n"
                           "    end\n"
                           "end\n"
                           "complete -c lanescope -f -a '(__lanescope_complete)'\n";

static const struct {
    const char *shell, *script;
} scripts[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

/* Prints a word if it goes on from what is begun. meaning: in the user's language; only its first line is printed. */
static void offer(const char *begun, const char *word, const char *meaning)
{
    if (strncmp(word, begun, strlen(begun)) != 0)
        return;
    if (meaning && *meaning)
        printf("%s\t%.*s\n", word, (int)strcspn(meaning, "\n"), meaning);
    else
        puts(word);
}

/* Offers the words between the bars of a form as the help shows it: gpu|emulator|recording. What has a capital letter
 * or a full stop stands for something else. Returns whether there was one. */
static bool offer_form(struct arena *arena, const char *begun, const char *form)
{
    bool offered = false;
    for (const char *at = form; *at;) {
        size_t const length = strcspn(at, "|[] ");
        bool word = length > 0 && (at[length] == '|' || (at > form && at[-1] == '|'));
        for (size_t i = 0; i < length; i++)
            word = word && islower((unsigned char)at[i]);
        if (word) {
            offer(begun, arena_text_n(arena, at, length), NULL);
            offered = true;
        }
        at += length + (at[length] != '\0');
    }
    return offered;
}

static void offer_options(const struct cli_command *command, const char *begun, struct arena *arena)
{
    struct cli_option option;
    for (int i = 0; cli_option_at(command, i, &option); i++)
        offer(begun, arena_format(arena, "--%s", option.name), _(option.help));
    offer(begun, "--help", _("show the options of a command"));
}

static void offer_lessons(const char *begun, enum language language, struct arena *arena)
{
    struct error *errors;
    size_t error_count;
    struct lesson **lessons;
    size_t const count = lesson_load_all(arena, &lessons, &errors, &error_count);
    for (size_t i = 0; i < count; i++) {
        offer(begun, lessons[i]->name, lessons[i]->title[language]);
        lesson_free(lessons[i]);
    }
}

/* Offers the knobs of a lesson, or the values of the knob that is begun. */
static void offer_knobs(const struct lesson *lesson, const char *begun, enum language language, struct arena *arena)
{
    for (int i = 0; i < lesson->knob_count; i++) {
        const struct lesson_knob *knob = &lesson->knobs[i];
        const char *const assignment = arena_format(arena, "%s=", knob->name);
        if (strncmp(begun, assignment, strlen(assignment)) != 0)
            offer(begun, assignment, knob->label[language]);
        else
            for (int v = 0; v < knob->value_count && v < 256; v++)
                offer(begun, lesson_knob_assignment(knob, v, arena), NULL);
    }
}

/* Offers what can stand behind an option of this form. */
static void offer_value(const struct cli_option *option, const struct lesson *lesson, const char *begun,
                        enum language language, struct arena *arena)
{
    if (strcmp(option->name, "set") == 0 && lesson)
        offer_knobs(lesson, begun, language, arena);
    else if (strcmp(option->name, "variant") == 0 && lesson)
        for (int i = 0; i < lesson->variant_count; i++)
            offer(begun, lesson->variants[i].name, lesson->variants[i].label[language]);
    else if (strcmp(option->name, "check") == 0)
        offer_form(arena, begun, "memory|race|none");
    else if (!offer_form(arena, begun, option->value) &&
             (strstr(option->value, "PATH") || strstr(option->value, "FOLDER")))
        puts(":files");
}

/* Offers what the word `begun` of a command's line may become. taken: words before it that are no options. */
static void offer_words(const struct cli_command *command, const char *begun, int taken, enum language language,
                        struct arena *arena)
{
    if (begun[0] == '-') {
        offer_options(command, begun, arena);
        return;
    }
    if (!taken)
        offer_form(arena, begun, command->usage);
    if (strstr(command->usage, "LESSON") || (!taken && strstr(command->usage, "TARGET")))
        offer_lessons(begun, language, arena);
    if (strstr(command->usage, "TARGET") || strstr(command->usage, "FILE") || strstr(command->usage, "PROGRAM") ||
        strstr(command->usage, ".trace") || command == &cli_commands[0])
        puts(":files");
}

/* Offers the words that the last of these may become. */
static void complete(const struct cli_list *words, enum language language, struct arena *arena)
{
    const char *const begun = words->items[words->count - 1];
    const struct cli_command *command = words->count > 1 ? cli_command_named(words->items[0]) : NULL;
    int at = command ? 1 : 0, taken = 0;
    if (!command) {
        command = &cli_commands[0];
        if (words->count == 1 && begun[0] != '-')
            for (size_t i = 1; i < cli_command_count; i++)
                offer(begun, cli_commands[i].name, _(cli_commands[i].summary));
        if (words->count == 1)
            offer(begun, "--version", _("print the version"));
    }
    struct lesson *lesson = NULL;
    struct error error;
    struct cli_option option = {0};
    bool waits = false; /* the option before takes a value */
    for (; at < words->count - 1; at++) {
        const char *const word = words->items[at];
        if (waits) {
            waits = false;
        } else if (strcmp(word, "--") == 0) { /* arguments of a program */
            puts(":files");
            lesson_free(lesson);
            return;
        } else if (word[0] == '-') {
            for (int i = 0; !waits && cli_option_at(command, i, &option); i++)
                waits = option.value && ((word[1] == '-' && strcmp(word + 2, option.name) == 0) ||
                                         (option.letter && word[1] == option.letter && word[2] == '\0'));
        } else if (++taken == 1 && strchr(command->groups, 'l') && lesson_exists(word)) {
            if (!lesson_load(word, &lesson, &error))
                lesson = NULL;
        }
    }
    if (waits)
        offer_value(&option, lesson, begun, language, arena);
    else
        offer_words(command, begun, taken, language, arena);
    lesson_free(lesson);
}

int command_complete(struct cli_options *options)
{
    enum language const language = strcmp(options->language, "ko") == 0 ? LANGUAGE_KO : LANGUAGE_EN;
    if (options->words.count && !options->targets.count) {
        complete(&options->words, language, &options->arena);
        return CLI_FINE;
    }
    for (size_t i = 0; options->targets.count == 1 && i < sizeof scripts / sizeof scripts[0]; i++)
        if (strcmp(options->targets.items[0], scripts[i].shell) == 0) {
            fputs(scripts[i].script, stdout);
            return CLI_FINE;
        }
    return cli_usage("complete takes the name of a shell: bash, zsh or fish");
}
