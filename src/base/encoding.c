/* Recognising the encodings of text.
 * SPDX-License-Identifier: MIT
 */
#include "base/encoding.h"

#include "base/library.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool cob_is_utf8_name(const char *encoding)
{
    return strcasecmp(encoding, "utf-8") == 0 || strcasecmp(encoding, "utf8") == 0;
}

/* ---- binary files ---------------------------------------------------------------------------- */

static const struct {
    const char *kind;
    size_t length;
    const char *start;
} kinds[] = {
    {"a program (ELF)", 4,
     "\x7F"
     "ELF"},
    {"a PNG picture", 8, "\x89PNG\r\n\x1A\n"},
    {"a GIF picture", 4, "GIF8"},
    {"a JPEG picture", 3, "\xFF\xD8\xFF"},
    {"a PDF document", 5, "%PDF-"},
    {"a ZIP archive", 4, "PK\x03\x04"},
    {"a 7z archive", 6, "7z\xBC\xAF\x27\x1C"},
    {"compressed data (bzip2)", 3, "BZh"},
    {"compressed data (xz)", 6,
     "\xFD"
     "7zXZ\0"},
    {"compressed data (zstd)", 4, "\x28\xB5\x2F\xFD"},
    {"compressed data (gzip)", 2, "\x1F\x8B"},
    {"an Office document", 8, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"},
    {"a SQLite database", 16, "SQLite format 3"},
    {"sound or video", 4, "OggS"},
    {"sound or video", 4, "RIFF"},
    {"sound", 3, "ID3"},
    {"a Java class", 4, "\xCA\xFE\xBA\xBE"},
    {"an HDF5 file", 8, "\x89HDF\r\n\x1A\n"},
    {"a cobloc matrix", 8, "COBLOC\r\n"},
};

const char *cob_binary_kind(const char *head, size_t size)
{
    char name[COB_ENCODING_ROOM];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].length && memcmp(head, kinds[i].start, kinds[i].length) == 0)
            return kinds[i].kind;
    if (size == 0 || !memchr(head, '\0', size))
        return NULL;
    cob_encoding_guess(head, size, name);
    return *name ? NULL : "binary data";
}

/* ---- guessing -------------------------------------------------------------------------------- */

static const char *by_mark(const char *head, size_t size)
{
    static const struct {
        size_t length;
        const char *mark, *name;
    } marks[] = {{4, "\xFF\xFE\0\0", "UTF-32LE"},
                 {4, "\0\0\xFE\xFF", "UTF-32BE"},
                 {2, "\xFF\xFE", "UTF-16LE"},
                 {2, "\xFE\xFF", "UTF-16BE"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (size >= marks[i].length && memcmp(head, marks[i].mark, marks[i].length) == 0)
            return marks[i].name;
    return NULL;
}

/* Text in UTF-16 or UTF-32 has most of its NUL bytes in the same places of each unit. */
static const char *by_nuls(const char *head, size_t size)
{
    size_t nuls[4] = {0}, all = 0, quarter = size / 4;
    for (size_t i = 0; i < size; i++)
        nuls[i % 4] += head[i] == '\0';
    for (int i = 0; i < 4; i++)
        all += nuls[i];
    if (all < 6)
        return NULL;
    size_t most = quarter * 9 / 10, few = quarter / 20, many = quarter * 14 / 10;
    if (nuls[1] >= most && nuls[2] >= most && nuls[3] >= most && nuls[0] <= few)
        return "UTF-32LE";
    if (nuls[0] >= most && nuls[1] >= most && nuls[2] >= most && nuls[3] <= few)
        return "UTF-32BE";
    if (nuls[0] + nuls[2] <= 2 * few && nuls[1] + nuls[3] >= many)
        return "UTF-16LE";
    if (nuls[1] + nuls[3] <= 2 * few && nuls[0] + nuls[2] >= many)
        return "UTF-16BE";
    return NULL;
}

/* Whether the bytes beyond ASCII are mostly UTF-8. */
static bool is_mostly_utf8(const char *head, size_t size)
{
    size_t good = 0, bad = 0;
    uint32_t point;
    for (size_t i = 0, bytes; i < size; i += bytes ? bytes : 1) {
        if ((unsigned char)head[i] < 0x80) {
            bytes = 1;
            continue;
        }
        bytes = cob_utf8_next((const unsigned char *)head + i, size - i, &point);
        good += bytes > 0;
        bad += bytes == 0 && size - i >= COB_UTF8_LONGEST; /* the last one may be cut */
    }
    return bad == 0 || good >= 4 * bad;
}

static bool is_ascii(const char *head, size_t size)
{
    unsigned char all = 0;
    for (size_t i = 0; i < size; i++)
        all |= (unsigned char)head[i];
    return all < 0x80;
}

/* What libuchardet says; "" if it is not installed or does not know. */
static void by_frequencies(const char *head, size_t size, char name[COB_ENCODING_ROOM])
{
    void *(*make)(void);
    void (*release)(void *);
    int (*take)(void *, const char *, size_t);
    void (*end)(void *);
    const char *(*charset)(void *);
    const cob_symbol symbols[] = {{"uchardet_new", &make},
                                  {"uchardet_delete", &release},
                                  {"uchardet_handle_data", &take},
                                  {"uchardet_data_end", &end},
                                  {"uchardet_get_charset", &charset}};
    *name = '\0';
    void *library = cob_library_open("libuchardet.so.0", symbols, sizeof symbols / sizeof *symbols);
    if (!library)
        return;
    void *detector = make();
    if (detector && take(detector, head, size) == 0) {
        end(detector);
        snprintf(name, COB_ENCODING_ROOM, "%s", charset(detector));
    }
    if (detector)
        release(detector);
    cob_library_close(library);
}

void cob_encoding_guess(const char *head, size_t size, char name[COB_ENCODING_ROOM])
{
    *name = '\0';
    bool ascii = is_ascii(head, size), nuls = memchr(head, '\0', size) != NULL;
    const char *known = by_mark(head, size);
    if (!known && nuls)
        known = by_nuls(head, size);
    if (known)
        snprintf(name, COB_ENCODING_ROOM, "%s", known);
    if (known || nuls || ascii || is_mostly_utf8(head, size))
        return;
    by_frequencies(head, size, name);
    if (!*name || strcasecmp(name, "ASCII") == 0 || cob_is_utf8_name(name))
        snprintf(name, COB_ENCODING_ROOM, "WINDOWS-1252");
}
