/* `compare`: the first difference of two traces. */
#include "base/words.h"
#include "cli/cli.h"
#include <stdio.h>

int command_compare(struct cli_options *options)
{
    if (options->targets.count != 2)
        return cli_usage("compare takes two traces: lanescope compare A.trace B.trace");
    struct trace *traces[2] = {0};
    struct error error;
    for (int i = 0; i < 2; i++)
        if (!trace_read(options->targets.items[i], &traces[i], &error)) {
            trace_free(traces[0]);
            return cli_fail(&error);
        }
    struct trace_difference difference;
    trace_compare(traces[0], traces[1], &difference);
    bool const valued = traces[0]->values.count && traces[1]->values.count;
    puts(difference.differ ? difference.text
         : valued          ? _("no difference: the same accesses, values, barriers and branches in the same order")
                           : _("no difference: the same accesses, barriers and branches in the same order"));
    if (difference.differ && trace_difference_word(difference.kind))
        printf(_("known: %s\n"), _(trace_difference_word(difference.kind)));
    trace_free(traces[0]);
    trace_free(traces[1]);
    return difference.differ ? CLI_FOUND : CLI_FINE;
}
