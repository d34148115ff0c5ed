/* The command line that reopens the state on screen. */
#ifndef LANESCOPE_APP_COMMANDS_REOPEN_H
#define LANESCOPE_APP_COMMANDS_REOPEN_H

struct app;
/* Returns it in the frame's arena. */
const char *reopen_line(struct app *app);
#endif
