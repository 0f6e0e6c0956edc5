/* Cleaning: the text of mail and HTML, without addresses and encoded data.
 * SPDX-License-Identifier: MIT
 */
#include "support.h"
#include "text/clean.h"
#include "text/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A text with single blanks for white space, and none at its ends. */
static char *squeezed(const char *text, size_t size)
{
    char *to = malloc(size + 1);
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        bool blank = isspace((unsigned char)text[i]);
        if (!blank)
            to[length++] = text[i];
        else if (length > 0 && to[length - 1] != ' ')
            to[length++] = ' ';
    }
    while (length > 0 && to[length - 1] == ' ')
        length--;
    to[length] = '\0';
    return to;
}

typedef struct example {
    const char *how, *text, *expected;
} example;

static void check(const example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cob_cleaner cleaner = {0};
        const char *clean;
        size_t size, length = strlen(examples[i].text);
        char *exact = malloc(length ? length : 1); /* so that reading beyond it is noticed */
        memcpy(exact, examples[i].text, length);
        assert_int_equal(cob_cleaning_parse(examples[i].how, &cleaner.how, NULL), COBLOC_OK);
        assert_int_equal(cob_clean(&cleaner, exact, length, &clean, &size, NULL), COBLOC_OK);
        char *found = squeezed(clean, size);
        if (strcmp(found, examples[i].expected) != 0)
            fail_msg("%s:\nfound    '%s'\nexpected '%s'", examples[i].text, found,
                     examples[i].expected);
        free(found);
        free(exact);
        cob_cleaner_free(&cleaner);
    }
}

#define CHECK(examples) check(examples, sizeof(examples) / sizeof *(examples))

static void pages(void **state)
{
    (void)state;
    static const example examples[] = {
        {"auto", "<html><body><p>one<p>two</body></html>", "one two"},
        {"auto", "<!DOCTYPE html><title>a &amp; b</title>c", "a & b c"},
        {"auto", "<html>un<b>be</b>liev<i>able</i>", "unbelievable"},
        {"auto", "<html><script>if (a<b) x('</p>')</script>y<style>p{}</style>z", "y z"},
        {"auto", "<html><SCRIPT>x</sCrIpT >y", "y"},
        {"auto", "<html><script>never closed", ""},
        {"auto", "<html><!-- a > b -->c<!--x--!>d<!-->e<!--->f", "cdef"},
        {"auto", "<html><a title=\"1 > 0\" href='x>y'>link</a>", "link"},
        {"auto", "<html>caf&eacute; &#233; &#xE9; &#x80; &copy &notit; &unknown; &",
         "caf\xC3\xA9 "
         "\xC3\xA9 \xC3\xA9 \xE2\x82\xAC \xC2\xA9 \xC2\xACit; &unknown; &"},
        {"auto", "<html>1 < 2 </ x> 3", "1 < 2 3"},
        {"auto", "<html>co&shy;op a&nbsp;b", "coop a b"},
        {"auto", "<?xml version=\"1.0\"?><doc><a>x</a><row>y</row><![CDATA[<z>]]></doc>",
         "x y <z>"},
        {"auto", "a review<br />with a break", "a review with a break"},
        {"auto", "AT&amp;T and R&#38;D", "AT&T and R&D"},
        {"auto", "if a <b and c> d, x < y", "if a <b and c> d, x < y"},
        {"auto", "<unknown> stays & so does this", "<unknown> stays & so does this"},
        {"html", "AT&T <unknown> <b>x</b>", "AT&T <unknown> x"},
        {"none", "<html><p>one</p>", "<html><p>one</p>"},
        {"auto", "<html", ""},
        {"auto", "<html>&#", "&#"},
        {"auto", "<html>&#xFFFFFFFFFF;&#0;&#xD800;", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"auto", "<html><textarea><b>&lt;</textarea>x", "<b>< x"},
    };
    CHECK(examples);
}

#define HEAD "From: joe@x.org (Joe)\nSubject: Re: cats\nMessage-ID: <1@x.org>\n\n"

static void mails(void **state)
{
    (void)state;
    static const example examples[] = {
        {"auto", HEAD "my text\n", "cats my text"},
        {"auto", "From joe Mon Jan 1\nFrom: joe\nTo: you\n\ntext", "text"},
        {"auto", HEAD "In article <2@y.org> Ann writes:\n> hers\n>> older\nAB> hers\nmine",
         "cats mine"},
        {"auto", HEAD "mine\n-- \nJoe\nFirm\n", "cats mine"},
        {"auto", HEAD "mine\n------\nJoe\nFirm\n", "cats mine"},
        {"auto", HEAD "a\n--\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n",
         "cats a -- 1 2 3 4 5 6 7 8 "
         "9 10 11 12 13 14"},
        {"auto", HEAD "fwd:\nFrom: ann\nTo: joe\nDate: now\n\nhello", "cats fwd: hello"},
        {"auto", "Subject: one header\n\ntext", "Subject: one header text"},
        {"mail", "> quoted\nmine", "mine"},
        {"auto",
         "From: a\nTo: b\nContent-Transfer-Encoding: quoted-printable\n\nna=C3=AFve t=\next",
         "na\xC3\xAFve text"},
        {"auto",
         "From: a\nTo: b\nContent-Type: text/plain\nContent-Transfer-Encoding: "
         "base64\n\naGVsbG8gd29ybGQ=\n",
         "hello world"},
        {"auto", "From: a\nSubject: =?utf-8?Q?caf=C3=A9_au_?= =?utf-8?B?bGFpdA==?=\n\nx",
         "caf\xC3\xA9 au lait x"},
        /* blanks between encoded words mean nothing, and a character may be cut (Python's email) */
        {"auto",
         "From: a\nSubject: =?UTF-8?b?w6nDqMOg?=\n =?utf-8*fr?q?=C3?= =?utf-8?q?=A9?= a\n\nx",
         "\xC3\xA9\xC3\xA8\xC3\xA0\xC3\xA9 a x"},
        {"auto", "From: a\nSubject: =?iso-8859-1?q?na=EFve?= =?koi8-r?b?x8/Ez9c=?=\n\nx",
         "na\xC3\xAFve\xD0\xB3\xD0\xBE\xD0\xB4\xD0\xBE\xD0\xB2 x"},
        {"auto", "From: a\nSubject: =?no-such/set?q?plain?=\n\nx", "plain x"},
        {"auto",
         "From: a\nTo: b\nContent-Type: text/plain; charset=iso-8859-1\n"
         "Content-Transfer-Encoding: quoted-printable\n\nna=EFve =93t=E9xt=94",
         "na\xC3\xAFve \xE2\x80\x9Ct\xC3\xA9xt\xE2\x80\x9D"},
        {"auto",
         "From: a\nTo: b\nContent-Type: text/plain; charset=\"koi8-r\"\n"
         "Content-Transfer-Encoding: base64\n\nx8/Ez9c=\n",
         "\xD0\xB3\xD0\xBE\xD0\xB4\xD0\xBE\xD0\xB2"},
        {"auto",
         "From: a\nTo: b\nContent-Type: text/plain; charset=ISO-2022-JP\n\n\x1B$BF|K\\\x1B(B ok",
         "\xE6\x97\xA5\xE6\x9C\xAC ok"},
        {"auto", /* converted with its file already */
         "From: a\nTo: b\nContent-Type: text/plain; charset=iso-8859-1\n\nna\xC3\xAFve",
         "na\xC3\xAFve"},
        {"auto",
         "From: a\nTo: b\nContent-Type: multipart/alternative;\n boundary=\"=_b\"\n\npreamble\n"
         "--=_b\nContent-Type: text/html\n\n<p>rich</p>\n--=_b\nContent-Type: text/plain\n\nplain\n"
         "--=_b--\nepilogue\n",
         "plain"},
        {"auto",
         "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=xx\n\n--xx\n\nfirst\n--xx\n"
         "Content-Type: text/html\n\n<b>sec</b>ond\n--xx\nContent-Type: image/png\n\nPNG\n--xx--\n",
         "first second"},
        {"auto", "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=xx\n\n--xx", ""},
        {"none", HEAD "x", "From: joe@x.org (Joe) Subject: Re: cats Message-ID: <1@x.org> x"},
        {"auto", "From: a\r\nTo: b\r\n\r\ntext\r\n> no\r\n", "text"},
        {"auto", "From: a\nTo: b", ""},
    };
    CHECK(examples);
}

static void addresses(void **state)
{
    (void)state;
    static const example examples[] = {
        {"auto", "write to first.last@dept.uni.edu, or <1993Apr5.12345@x.com>.",
         "write to , or < >."},
        {"auto", "at http://www.x.org/a?b=c&d#e. Next", "at . Next"},
        {"auto", "see www.x.com/path/file.html (or ftp.site.ac.uk)", "see (or )"},
        {"auto", "user%host.edu@relay.net and a!b!c!user", "and"},
        {"auto", "in comp.sys.mac.hardware and sci.space", "in and"},
        {"auto", "e.g. the U.S. and i.e. 3.14 p.m. node.js end.The",
         "e.g. the U.S. and i.e. 3.14 p.m. "
         "node.js end.The"},
        {"auto", "@mention stays, a@ b, wow!really", "@mention stays, a@ b, wow!really"},
        {"auto", "host:port x.y.z a.b", "host:port x.y.z a.b"},
        {"none", "joe@x.org", "joe@x.org"},
        {"mail", "joe@x.org", "joe@x.org"},
        {"urls", "joe@x.org <b>", "<b>"},
        {"auto", "@", "@"},
        {"auto", "://", "://"},
        {"auto", "a://", "a://"},
    };
    CHECK(examples);
}

#define BASE "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\n"
#define UU "M5&5S=\"!L:6YE(&]F(&1A=&$@=&AA=\"!I<R!L;VYG(&5N;W5G:\"!T;R!F:6QL\n"

static void data(void **state)
{
    (void)state;
    static const example examples[] = {
        {"auto", "before\n" BASE BASE "YPhfDwAChwGA60e6kgAA=\nafter", "before after"},
        {"auto", "before\n" BASE "after",
         "before iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4"
         "2mNk after"},
        {"auto", "before\nbegin 644 a.gif\n" UU UU "#0V%T\n`\nend\nafter", "before after"},
        {"auto", "begin 644 is a number\nend", "begin 644 is a number end"},
        {"auto",
         "averyveryveryveryveryveryveryverylongwordindeedyes\naveryveryveryveryveryveryverylongwor"
         "d",
         "averyveryveryveryveryveryveryverylongwordindeedyes "
         "averyveryveryveryveryveryverylongword"},
    };
    CHECK(examples);
}

static void options(void **state)
{
    (void)state;
    cob_cleaning how;
    cobloc_error err;
    assert_int_equal(cob_cleaning_parse("mail,urls", &how, &err), COBLOC_OK);
    assert_int_equal(how.parts, COB_CLEAN_MAIL | COB_CLEAN_URLS);
    assert_false(how.recognise);
    assert_int_equal(cob_cleaning_parse("none", &how, &err), COBLOC_OK);
    assert_int_equal(how.parts, 0);
    static const char *const wrong[] = {"", "mails", "mail,", "mail urls", "none,mail"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(cob_cleaning_parse(wrong[i], &how, &err), COBLOC_BAD_ARGUMENT);
        assert_non_null(strstr(err.message, "expected auto"));
    }
}

/* Text never grows, whatever is in it: the room is as large as the text. */
static void html_stays_in_its_room(void **state)
{
    (void)state;
    static const char alphabet[] = "<>&;#x/!-= \"'abpt1\xC3";
    uint32_t random = 1;
    for (int round = 0; round < 20000; round++) {
        size_t size = 1 + (size_t)(round % 40);
        char *text = malloc(size), *room = malloc(size);
        for (size_t i = 0; i < size; i++) {
            random = random * 1664525u + 1013904223u;
            text[i] = alphabet[(random >> 16) % (sizeof alphabet - 1)];
        }
        size_t length = cob_html_text(text, size, COB_MARKUP_PAGE, room);
        assert_true(length <= size);
        char *expected = malloc(size);
        memcpy(expected, room, length);
        assert_int_equal(cob_html_text(text, size, COB_MARKUP_PAGE, text), length);
        assert_memory_equal(text, expected, length); /* in place, too */
        free(expected);
        free(text);
        free(room);
    }
}

static void clean_one(void *context)
{
    cob_cleaner cleaner = {.how = {15, true}};
    const char *clean;
    size_t size;
    (void)context;
    const char *mail = "From: a\nSubject: =?koi8-r?b?x8/Ez9c=?=\nContent-Type: text/plain; "
                       "charset=koi8-r\nContent-Transfer-Encoding: base64\n\nx8/Ez9c=\n";
    cob_clean(&cleaner, mail, strlen(mail), &clean, &size, NULL);
    cob_clean(&cleaner, "<html>x@y.org", 13, &clean, &size, NULL);
    cob_cleaner_free(&cleaner);
}

static void failing_allocations(void **state)
{
    (void)state;
    for (long k = 0; k < 20; k++) {
        cob_alloc_fail_at(k);
        clean_one(NULL);
    }
    cob_alloc_fail_at(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages),
        cmocka_unit_test(mails),
        cmocka_unit_test(addresses),
        cmocka_unit_test(data),
        cmocka_unit_test(options),
        cmocka_unit_test(html_stays_in_its_room),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
