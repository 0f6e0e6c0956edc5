/* Replacing a folder as a whole: readers find all files of the old one or all files of the new one.
 *
 * The new files are written into a temporary folder beside the target, which takes its place when
 * it is complete: by renaming it, or by exchanging the two, which is one step of the file system.
 * Files that are not the writer's own stay: they get a second name in the new folder first.
 *
 * Some folders cannot be exchanged: the working directory, mount points, folders that hold other
 * folders, folders whose parent is not writable, and all on file systems without this step. Then
 * the files are renamed one after the other, the first and the last in the order of the writer's
 * list. A process that is killed in between leaves files of both; the writer must make sure that
 * readers notice.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_FOLDER_H
#define COB_BASE_FOLDER_H

#include "base/error.h"

#include <stdbool.h>

/* What the writer may remove from a folder. */
typedef struct cob_belongings {
    const char *const
        *names; /* of its files, ended by NULL, in the order in which to rename them */
    /* Whether a file of such a name is one of an earlier run, and is to go. */
    bool (*outdated)(const char *folder, const char *name, const void *context);
    const void *context;
    /* Whether a file of any other name bears the writer's mark and goes with an earlier run. */
    bool (*marked)(int folder, const char *name);
} cob_belongings;

typedef struct cob_folder cob_folder;

cobloc_status cob_folder_create(const char *path, const cob_belongings *ours, cob_folder **out,
                                cobloc_error *err);

/* Where to write a file of the new folder, in new memory; NULL if out of memory. */
char *cob_folder_path(const cob_folder *folder, const char *name);

/* Removes the new folder, which may be NULL: nothing has happened. */
void cob_folder_drop(cob_folder *folder);

/* Makes the new files appear if writing them went well (`status`), else removes them. Closes the
 * folder, which may be NULL, and returns how it all went. */
cobloc_status cob_folder_finish(cob_folder *folder, cobloc_status status, cobloc_error *err);

#endif
