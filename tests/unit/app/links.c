/* The place in the window as an address, and what a page does where nothing works beside it. */
#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "app_helper.h"

static void check_goes_and_comes_back(const char *link)
{
    struct app_options const options = app_options_of(NULL, 0);
    struct app *app = app_opened(&options, NULL);
    app_open_link(app, link);
    app_frame(app, 1e6);
    assert_string_equal(app_link(app), link);
    app_free(app);
}

static void a_link_leads_to_the_place_it_names(void **state)
{
    (void)state;
    check_goes_and_comes_back("?lang=en");
    check_goes_and_comes_back("banks/5?lang=en");
    check_goes_and_comes_back("banks/5?lang=ko");
    check_goes_and_comes_back("banks/5?access=4&lang=en");
    check_goes_and_comes_back("banks/12?stride=8&padding=2&lang=en");
    check_goes_and_comes_back("banks/12?variant=store&lang=en");
}

static void check_says(const char *link, const char *opened, const char *said)
{
    struct app_options const options = app_options_of(NULL, 0);
    struct app *app = app_opened(&options, NULL);
    app_open_link(app, link);
    if (!shows(app, said))
        fail_msg("%s does not say: %s, but %s", link, said, app_link(app));
    assert_string_equal(app_link(app), opened);
    app_free(app);
}

static void what_a_link_names_wrongly_is_said_and_the_nearest_opens(void **state)
{
    (void)state;
    check_says("bnks/5", "banks/5?lang=en", "there is no lesson bnks; the nearest is banks");
    check_says("qqqqqqqq/5", "?lang=en", "there is no lesson qqqqqqqq; here are all of them");
    check_says("../../etc/passwd", "?lang=en", "there is no lesson ..; here are all of them");
    check_says("banks/0", "banks/1?lang=en", "this lesson has no step 0; the nearest is step 1");
    check_says("banks/99", "banks/12?lang=en", "this lesson has no step 99; the nearest is step 12");
    check_says("banks/five", "banks/1?lang=en", "this lesson has no step five; the nearest is step 1");
    check_says("banks/12?padding=9", "banks/12?padding=4&lang=en", "padding has no value 9; the nearest is 4");
    check_says("banks/12?padding=red", "banks/12?padding=0&lang=en", "padding has no value red; the nearest is 0");
    check_says("banks/12?colour=red", "banks/12?lang=en", "this lesson has nothing that is called colour");
    check_says("banks/12?variant=jump", "banks/12?lang=en", "this lesson has no variant jump");
    check_says("file/mine.trace", "?lang=en", "mine.trace is not here any more: drop the file again");
}

static const char endless[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                              ".visible .entry spin(.param .u64 p)\n{\n"
                              ".reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
                              "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
                              "again: ld.volatile.global.u32 %r1, [%rd2];\n"
                              "setp.ne.s32 %p1, %r1, 77;\n@%p1 bra again;\nret;\n}\n";

static void a_kernel_that_takes_too_long_is_ended(void **state)
{
    (void)state;
    char path[] = "/tmp/lanescope-test-XXXXXX.ptx";
    int const file = mkstemps(path, 4);
    assert_true(file >= 0 && file_put(file, endless, sizeof endless - 1));
    close(file);
    struct app_host const host = {.attended = true, .patience = 1};
    struct app_options const options = app_options_of(NULL, 0);
    struct app *app = app_opened(&options, &host);
    app_open_link(app, "banks/5"); /* another document was open before */
    app_event(app, &(struct app_event){.kind = APP_DROP_FILE, .text = path});
    double const begin = clock_seconds();
    for (int i = 0; i < 3; i++)
        app_frame(app, 0.01);
    assert_true(clock_seconds() - begin < 30);
    assert_true(shows(app, "runs for more than 1 seconds"));
    app_free(app);
    unlink(path);
}

static char copied[500];

static bool copy(void *context, const char *text)
{
    (void)context;
    snprintf(copied, sizeof copied, "%s", text);
    return true;
}

static void check_copies(const char *links, const char *place, const char *text, const char *said)
{
    struct app_host const host = {.copy_text = copy};
    struct app_options options = app_options_of(NULL, 0);
    options.links = links;
    struct app *app = app_opened(&options, &host);
    copied[0] = '\0';
    app_open_link(app, place);
    app_frame(app, 1e6);
    press(app, KEY_L, MODIFIER_CONTROL);
    if (!shows(app, said))
        fail_msg("%s does not say: %s", place, said);
    assert_string_equal(copied, text);
    app_free(app);
}

static void a_link_is_copied_below_the_address_that_is_set(void **state)
{
    (void)state;
    static const char page[] = "https://school.example/lanescope/";
    check_copies(page, "banks/12?stride=8&lang=en", "https://school.example/lanescope/#banks/12?stride=8&lang=en",
                 "copied: https://school.example/");
    check_copies(page, "?lang=en", "https://school.example/lanescope/#?lang=en", "copied: https://school.example/");
    check_copies(NULL, "banks/12?lang=en", "", "to copy links, set LANESCOPE_LINKS");
    check_copies("", "banks/12?lang=en", "", "to copy links, set LANESCOPE_LINKS");
    check_copies("javascript:alert(1)//", "banks/12?lang=en", "", "LANESCOPE_LINKS is no address of a page");
    check_copies("https://a b/", "banks/12?lang=en", "", "LANESCOPE_LINKS is no address of a page");
}

static void no_link_leads_to_a_file(void **state)
{
    (void)state;
    struct app *app = app_opened_file("faults/race_neighbour.ptx");
    app_frame(app, 1e6);
    assert_non_null(strstr(app_link(app), "file/race_neighbour.ptx"));
    press(app, KEY_L, MODIFIER_CONTROL);
    assert_true(shows(app, "to copy links"));
    app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_leads_to_the_place_it_names),
        cmocka_unit_test(what_a_link_names_wrongly_is_said_and_the_nearest_opens),
        cmocka_unit_test(a_link_is_copied_below_the_address_that_is_set),
        cmocka_unit_test(no_link_leads_to_a_file),
        cmocka_unit_test(a_kernel_that_takes_too_long_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
