/* Listing the files of a corpus.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "text/corpus.h"

#include "base/alloc.h"
#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 64 };

void cob_corpus_free(cob_corpus *corpus)
{
    cob_names_free(&corpus->paths);
}

/* Whether a pattern of a list, separated by commas, fits a path or the name at its end. */
static bool fits(const char *list, const char *inside)
{
    char pattern[256];
    const char *slash = strrchr(inside, '/'), *name = slash ? slash + 1 : inside;
    for (const char *p = list; *p;) {
        size_t length = strcspn(p, ",");
        if (length > 0 && length < sizeof pattern) {
            memcpy(pattern, p, length);
            pattern[length] = '\0';
            if (fnmatch(pattern, inside, 0) == 0 || fnmatch(pattern, name, 0) == 0)
                return true;
        }
        p += length + (p[length] == ',');
    }
    return false;
}

bool cob_corpus_includes(const cobloc_text_options *options, const char *inside)
{
    return (!options->include || fits(options->include, inside)) &&
           !(options->exclude && fits(options->exclude, inside));
}

/* A folder on the way down. */
typedef struct walking {
    const cobloc_text_options *options;
    cob_corpus *corpus;
    size_t inside; /* where paths inside the folder begin */
} walking;

static cobloc_status walk(const walking *w, const char *folder, int depth, cobloc_error *err);

/* Notes something that cannot be looked at: a link to nowhere, say. The first by name is named. */
static void note_broken(cob_corpus *corpus, const char *path)
{
    if (corpus->broken++ == 0 || strncmp(path, corpus->broken_where, 255) < 0)
        snprintf(corpus->broken_where, sizeof corpus->broken_where, "%s", path);
}

/* Follows links to files, but not to folders, which could lead in circles. */
static cobloc_status add_path(const walking *w, const char *path, int depth, cobloc_error *err)
{
    struct stat about, itself;
    bool listed = lstat(path, &itself) == 0;
    if (!listed || stat(path, &about) != 0) {
        if (cob_corpus_includes(w->options, path + w->inside))
            note_broken(w->corpus, path);
        return COBLOC_OK;
    }
    if (S_ISDIR(about.st_mode))
        return S_ISLNK(itself.st_mode) ? COBLOC_OK : walk(w, path, depth + 1, err);
    if (!S_ISREG(about.st_mode) || !cob_corpus_includes(w->options, path + w->inside))
        return COBLOC_OK;
    w->corpus->bytes += about.st_size;
    return cob_names_add(&w->corpus->paths, path, strlen(path), err);
}

static cobloc_status walk(const walking *w, const char *folder, int depth, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    struct dirent *entry;
    char *path = NULL;
    size_t capacity = 0, length = strlen(folder);
    DIR *listing = opendir(folder);
    if (!listing && depth > 0) {
        note_broken(w->corpus, folder);
        goto done;
    }
    COB_CHECK(listing, COBLOC_IO, "%s: %s", folder, strerror(errno));
    COB_CHECK(depth < DEEPEST, COBLOC_UNSUPPORTED, "%s: folders are nested more than %d deep",
              folder, DEEPEST);
    while ((entry = readdir(listing))) {
        if (entry->d_name[0] == '.') /* hidden, or "." or ".." */
            continue;
        size_t need = length + strlen(entry->d_name) + 2;
        COB_CHECK(cob_grow(&path, &capacity, need, 1), COBLOC_NO_MEMORY, "out of memory");
        COB_KNOWN(path); /* it has grown */
        snprintf(path, need, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", entry->d_name);
        COB_TRY(add_path(w, path, depth, err));
    }
done:
    cob_free(path);
    if (listing)
        closedir(listing);
    return status;
}

/* ---- sorting --------------------------------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static cobloc_status sort_names(cob_names *names, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char **list = NULL;
    cob_names sorted = {0};
    COB_NEW(list, names->count + 1);
    for (int64_t i = 0; i < names->count; i++)
        list[i] = cob_names_get(names, i);
    qsort(list, (size_t)names->count, sizeof *list, compare_texts);
    for (int64_t i = 0; i < names->count; i++)
        COB_TRY(cob_names_add(&sorted, list[i], strlen(list[i]), err));
    cob_names_move(names, &sorted);
done:
    cob_free(list);
    cob_names_free(&sorted);
    return status;
}

cobloc_status cob_corpus_list(const char *path, const cobloc_text_options *options,
                              cob_corpus *corpus, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    struct stat about;
    size_t length = strlen(path);
    *corpus = (cob_corpus){0};
    COB_CHECK(stat(path, &about) == 0, COBLOC_IO, "%s: %s", path, strerror(errno));
    corpus->folder = S_ISDIR(about.st_mode);
    if (!corpus->folder) {
        const char *slash = strrchr(path, '/');
        corpus->inside = slash ? (size_t)(slash - path) + 1 : 0;
        corpus->bytes = about.st_size;
        corpus->archive = cob_is_archive(path);
        status = cob_names_add(&corpus->paths, path, length, err);
        goto done;
    }
    corpus->inside = length + (path[length - 1] != '/');
    COB_TRY(walk(&(walking){options, corpus, corpus->inside}, path, 0, err));
    COB_CHECK(corpus->paths.count > 0, COBLOC_BAD_DATA, "%s: the folder holds no files%s", path,
              options->include || options->exclude ? " that are included"
              : corpus->broken > 0                 ? " that can be read"
                                                   : "");
    status = sort_names(&corpus->paths, err);
done:
    if (status != COBLOC_OK)
        cob_corpus_free(corpus);
    return status;
}
