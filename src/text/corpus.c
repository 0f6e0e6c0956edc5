/* Listing the files of a corpus.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "text/corpus.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 64 };

void cob_corpus_free(cob_corpus *corpus)
{
    cob_names_free(&corpus->paths);
}

static cobloc_status walk(const char *folder, int depth, cob_corpus *corpus, cobloc_error *err);

/* Follows links to files, but not to folders, which could lead in circles. */
static cobloc_status add_path(const char *path, int depth, cob_corpus *corpus, cobloc_error *err)
{
    struct stat about, itself;
    if (lstat(path, &itself) != 0 || stat(path, &about) != 0)
        return cob_fail(err, COBLOC_IO, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return S_ISLNK(itself.st_mode) ? COBLOC_OK : walk(path, depth + 1, corpus, err);
    if (!S_ISREG(about.st_mode))
        return COBLOC_OK;
    corpus->bytes += about.st_size;
    return cob_names_add(&corpus->paths, path, strlen(path), err);
}

static cobloc_status walk(const char *folder, int depth, cob_corpus *corpus, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    struct dirent *entry;
    char *path = NULL;
    size_t capacity = 0, length = strlen(folder);
    DIR *listing = opendir(folder);
    COB_CHECK(listing, COBLOC_IO, "%s: %s", folder, strerror(errno));
    COB_CHECK(depth < DEEPEST, COBLOC_UNSUPPORTED, "%s: folders are nested more than %d deep",
              folder, DEEPEST);
    while ((entry = readdir(listing))) {
        if (entry->d_name[0] == '.') /* hidden, or "." or ".." */
            continue;
        size_t need = length + strlen(entry->d_name) + 2;
        COB_CHECK(cob_grow(&path, &capacity, need, 1), COBLOC_NO_MEMORY, "out of memory");
        snprintf(path, need, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", entry->d_name);
        COB_TRY(add_path(path, depth, corpus, err));
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

cobloc_status cob_corpus_list(const char *path, cob_corpus *corpus, cobloc_error *err)
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
        status = cob_names_add(&corpus->paths, path, length, err);
        goto done;
    }
    COB_TRY(walk(path, 0, corpus, err));
    COB_CHECK(corpus->paths.count > 0, COBLOC_BAD_DATA, "%s: the folder holds no files", path);
    corpus->inside = length + (path[length - 1] != '/');
    status = sort_names(&corpus->paths, err);
done:
    if (status != COBLOC_OK)
        cob_corpus_free(corpus);
    return status;
}
