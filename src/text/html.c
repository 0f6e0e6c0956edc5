/* The text of HTML and XML.
 * SPDX-License-Identifier: MIT
 */
#include "text/html.h"

#include <string.h>
#include <unistr.h>

/* ---- names of elements ----------------------------------------------------------------------- */

enum { LONGEST_NAME = 10 };

/* Kinds of elements. Tags of inline ones separate no words; the content of hidden ones is not text
 * to read; that of titles has entities, but no tags. */
enum { UNKNOWN = 0, INLINE = 'i', HIDDEN = 'h', TITLE = 't', BLOCK = 'b' };

/* The elements of HTML by their first letter, each with a blank before it and its kind after it. */
static const char *const elements[26] = {
    " a:i abbr:i acronym:i address:b article:b aside:b",
    " b:i bdi:i bdo:i big:i blockquote:b body:b br:b button:b",
    " caption:b center:b cite:i code:i col:b",
    " data:i dd:b del:i details:b dfn:i div:b dl:b dt:b",
    " em:i",
    " fieldset:b figcaption:b figure:b font:i footer:b form:b frame:b frameset:b",
    "",
    " h1:b h2:b h3:b h4:b h5:b h6:b head:b header:b hr:b html:b",
    " i:i iframe:h img:b input:b ins:i",
    "",
    " kbd:i",
    " label:b legend:b li:b link:b",
    " main:b mark:i meta:b",
    " nav:b nobr:i noembed:h noframes:h noscript:h",
    " object:b ol:b optgroup:b option:b",
    " p:b pre:b",
    " q:i",
    "",
    " s:i samp:i script:h section:b select:b small:i span:i strike:i strong:i style:h"
    " sub:i summary:b sup:i",
    " table:b tbody:b td:b textarea:t tfoot:b th:b thead:b time:i title:t tr:b tt:i",
    " u:i ul:b",
    " var:i video:b",
    " wbr:i",
    "",
    "",
    "",
};

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* The kind of the element with this name. */
static int kind_of(const char *name, size_t length)
{
    char key[LONGEST_NAME + 3];
    if (length == 0 || length > LONGEST_NAME || !is_letter(*name))
        return UNKNOWN;
    key[0] = ' ';
    for (size_t i = 0; i < length; i++)
        key[i + 1] = (char)(is_letter(name[i]) ? name[i] | 0x20 : name[i]);
    key[length + 1] = ':';
    key[length + 2] = '\0';
    const char *found = strstr(elements[key[1] - 'a'], key);
    return found ? found[length + 2] : UNKNOWN;
}

static size_t name_length(const char *p, const char *end)
{
    const char *start = p;
    while (p < end && !is_space(*p) && *p != '/' && *p != '>')
        p++;
    return (size_t)(p - start);
}

/* ---- recognising ----------------------------------------------------------------------------- */

static bool begins(const char *p, const char *end, const char *lower)
{
    size_t length = strlen(lower);
    if ((size_t)(end - p) < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((is_letter(p[i]) ? p[i] | 0x20 : p[i]) != lower[i])
            return false;
    return true;
}

/* Whether an attribute, or the end of the tag, follows: "a < b and c > d" is no tag. */
static bool is_tag_rest(const char *p, const char *end)
{
    while (p < end && is_space(*p))
        p++;
    if (p < end && *p == '/')
        p++;
    if (p < end && *p == '>')
        return true;
    while (p < end && (is_letter(*p) || *p == '-' || *p == ':'))
        p++;
    return p < end && *p == '=';
}

/* Whether a tag of HTML starts at the '<' at `p`. */
static bool is_known_tag(const char *p, const char *end)
{
    const char *name = p + 1 + (end - p > 1 && p[1] == '/');
    const char *most = end - name > LONGEST_NAME ? name + LONGEST_NAME + 1 : end;
    size_t length = name < end && is_letter(*name) ? name_length(name, most) : 0;
    return kind_of(name, length) != UNKNOWN && is_tag_rest(name + length, end);
}

/* Entities that nobody writes in plain text. */
static bool is_known_entity(const char *p, const char *end)
{
    static const char *const usual[] = {"amp;", "lt;", "gt;", "quot;", "nbsp;", "apos;"};
    const char *digits = ++p + 1;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (begins(p, end, usual[i]))
            return true;
    if (p >= end || *p != '#')
        return false;
    while (digits < end && (unsigned char)(*digits - '0') < 10)
        digits++;
    return digits > p + 1 && digits < end && *digits == ';';
}

cob_markup cob_markup_of(const char *text, size_t size)
{
    static const char *const starts[] = {"<!doctype", "<html", "<head", "<body", "<?xml", "<rss"};
    const char *p = text, *end = text + size;
    while (p < end && is_space(*p))
        p++;
    for (size_t i = 0; p < end && *p == '<' && i < sizeof starts / sizeof *starts; i++)
        if (begins(p, end, starts[i]))
            return COB_MARKUP_PAGE;
    for (; (p = memchr(p, '<', (size_t)(end - p))); p++)
        if (is_known_tag(p, end))
            return COB_MARKUP_FRAGMENT;
    for (p = text; (p = memchr(p, '&', (size_t)(end - p))); p++)
        if (is_known_entity(p, end))
            return COB_MARKUP_FRAGMENT;
    return COB_MARKUP_NONE;
}

/* ---- entities -------------------------------------------------------------------------------- */

/* What browsers show for the numbers 128 to 159: the characters of windows-1252. */
static const uint16_t windows[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

/* The bytes of a number such as "#233;" or "#xE9;"; 0: it is none. */
static size_t numbered(const char *text, size_t size, uint32_t *character)
{
    size_t at = 1, digits = 0;
    bool hex = size > 1 && (text[1] | 0x20) == 'x';
    uint32_t value = 0;
    for (at += hex; at < size; at++, digits++) {
        char c = text[at];
        uint32_t digit = (unsigned char)(c - '0') < 10 ? (uint32_t)(c - '0')
                         : hex && (unsigned char)((c | 0x20) - 'a') < 6
                             ? (uint32_t)((c | 0x20) - 'a' + 10)
                             : 99;
        if (digit == 99)
            break;
        value = value < 0x110000 ? value * (hex ? 16 : 10) + digit : value;
    }
    if (digits == 0)
        return 0;
    if (value >= 0x80 && value < 0xA0)
        value = windows[value - 0x80];
    bool possible = value > 0 && value < 0x110000 && (value < 0xD800 || value > 0xDFFF);
    *character = possible ? value : 0xFFFD;
    return at + (at < size && text[at] == ';');
}

/* Writes the character of the entity at `p`, or the '&' itself; returns what follows. */
static const char *take_entity(const char *p, const char *end, char **to)
{
    uint32_t character;
    size_t size = (size_t)(end - p) - 1;
    size_t length = size > 0 && p[1] == '#' ? numbered(p + 1, size, &character)
                                            : cob_entity(p + 1, size, &character);
    uint8_t bytes[6];
    int count = length > 0 ? u8_uctomb(bytes, (ucs4_t)character, sizeof bytes) : -1;
    if (count <= 0 || (size_t)count > length + 1) {
        *(*to)++ = '&';
        return p + 1;
    }
    if (character == 0xA0 || character == 0xAD) { /* a blank; a hyphen that is not seen */
        if (character == 0xA0)
            *(*to)++ = ' ';
        return p + 1 + length;
    }
    memcpy(*to, bytes, (size_t)count);
    *to += count;
    return p + 1 + length;
}

/* ---- tags ------------------------------------------------------------------------------------ */

/* After the '>' of a tag whose name has been read: quoted values may hold a '>'. */
static const char *after_tag(const char *p, const char *end)
{
    bool value = false; /* right behind a '=' */
    for (; p < end && *p != '>'; p++) {
        if (value && (*p == '"' || *p == '\'')) {
            const char *quote = memchr(p + 1, *p, (size_t)(end - p - 1));
            if (!quote)
                return end;
            p = quote;
        }
        value = *p == '=' || (value && is_space(*p));
    }
    return p < end ? p + 1 : end;
}

static const char *find(const char *p, const char *end, const char *what)
{
    size_t length = strlen(what);
    for (; (p = memchr(p, *what, (size_t)(end - p))) && (size_t)(end - p) >= length; p++)
        if (memcmp(p, what, length) == 0)
            return p;
    return end;
}

/* After a comment, a declaration or an instruction, whose '<' and next byte are at `p`. */
static const char *after_declaration(const char *p, const char *end, char **to)
{
    if (end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
        p += 4;
        if (p < end && *p == '>')
            return p + 1;
        if (end - p >= 2 && memcmp(p, "->", 2) == 0)
            return p + 2;
        const char *stop = find(p, end, "--");
        while (stop < end && !(end - stop > 2 && stop[2] == '>') &&
               !(end - stop > 3 && stop[2] == '!' && stop[3] == '>'))
            stop = find(stop + 1, end, "--");
        return stop < end ? stop + (stop[2] == '>' ? 3 : 4) : end;
    }
    if (end - p >= 9 && memcmp(p, "<![CDATA[", 9) == 0) {
        const char *stop = find(p + 9, end, "]]>");
        memmove(*to, p + 9, (size_t)(stop - p - 9));
        *to += stop - p - 9;
        return stop < end ? stop + 3 : end;
    }
    const char *stop = memchr(p, '>', (size_t)(end - p));
    return stop ? stop + 1 : end;
}

/* The "</name" that ends an element which holds no tags; `end` if there is none. */
static const char *closing(const char *p, const char *end, const char *name, size_t length)
{
    for (; (p = memchr(p, '<', (size_t)(end - p))); p++) {
        if ((size_t)(end - p) < length + 2 || p[1] != '/')
            continue;
        size_t same = 0;
        while (same < length && (p[2 + same] | 0x20) == (name[same] | 0x20))
            same++;
        if (same == length && (p + 2 + length == end || is_space(p[2 + length]) ||
                               p[2 + length] == '/' || p[2 + length] == '>'))
            return p;
    }
    return end;
}

/* Passes over the tag at `p`, and over what a script or the like holds. A title's entities become
 * characters. */
static const char *take_tag(const char *p, const char *end, char **to)
{
    bool closes = p[1] == '/';
    const char *name = p + 1 + closes;
    size_t length = name_length(name, end);
    const char *next = after_tag(name + length, end);
    int kind = kind_of(name, length);
    if (kind != INLINE)
        *(*to)++ = '\n';
    if (closes)
        return next;
    if (kind == HIDDEN)
        return closing(next, end, name, length);
    if (kind == TITLE) {
        const char *stop = closing(next, end, name, length);
        while (next < stop)
            if (*next == '&')
                next = take_entity(next, stop, to);
            else
                *(*to)++ = *next++;
    }
    return next;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Copies up to the next '<' or '&'. */
static const char *copy_plain(const char *p, const char *end, char **to)
{
    enum { AT_ONCE = 4096 }; /* so that no byte is looked at again for every entity */
    const char *start = p, *most = end - p > AT_ONCE ? p + AT_ONCE : end;
    const char *tag = memchr(p, '<', (size_t)(most - p));
    tag = tag ? tag : most;
    p = memchr(p, '&', (size_t)(tag - p));
    p = p ? p : tag;
    memmove(*to, start, (size_t)(p - start));
    *to += p - start;
    return p;
}

size_t cob_html_text(const char *text, size_t size, cob_markup markup, char *start)
{
    const char *p = text, *end = text + size;
    char *to = start;
    while (p < end) {
        char after = p + 1 < end ? p[1] : '\0';
        bool names = is_letter(after) || (after == '/' && p + 2 < end && is_letter(p[2]));
        if (*p == '&')
            p = take_entity(p, end, &to);
        else if (*p != '<')
            p = copy_plain(p, end, &to);
        else if (after == '!' || after == '?')
            p = after_declaration(p, end, &to);
        else if (names && (markup == COB_MARKUP_PAGE || is_known_tag(p, end)))
            p = take_tag(p, end, &to);
        else if (after == '/' && markup == COB_MARKUP_PAGE && p + 2 < end) /* as a comment */
            p = after_declaration(p, end, &to);
        else
            *to++ = *p++;
    }
    return (size_t)(to - start);
}
