/* Replacing folders.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* renameat2, statx */
#include "base/folder.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

struct cob_folder {
    cob_belongings ours;
    char *given;     /* the target as the caller calls it */
    char *path;      /* the target, with links followed */
    char *temporary; /* the new folder */
    int fd;          /* of the new folder; holds its lock */
};

/* ---- entries --------------------------------------------------------------------------------- */

static bool is_ours(const cob_belongings *ours, const char *name)
{
    for (int i = 0; ours->names[i]; i++)
        if (strcmp(ours->names[i], name) == 0)
            return true;
    return cob_is_temporary(name);
}

static bool exists(int folder, const char *name)
{
    struct stat about;
    return fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Calls `act` for every entry until it returns false; whether it never did. */
static bool for_entries(int folder, bool (*act)(int folder, const char *name, const void *context),
                        const void *context)
{
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    bool good = list != NULL;
    for (struct dirent *entry; good && (entry = readdir(list));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good = act(folder, entry->d_name, context);
    if (list)
        closedir(list);
    else if (copy >= 0)
        close(copy);
    return good;
}

/* ---- removing what was replaced -------------------------------------------------------------- */

/* Whether the file in `folder` changed after that of the same name in the target. */
static bool is_newer(int folder, const char *name, const char *in_target)
{
    struct stat a, b;
    if (stat(in_target, &b) != 0 || fstatat(folder, name, &a, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    return a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
           (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec);
}

static void empty(int folder, const void *context);

/* Removes one entry of a folder that was replaced, or was never finished. What is not ours is in
 * the target already, except where somebody wrote it while the folders were exchanged: then it goes
 * there. */
static bool drop(int folder, const char *name, const void *context)
{
    const cob_folder *f = context;
    char in_target[PATH_MAX];
    bool ours = is_ours(&f->ours, name) || f->ours.marked(folder, name);
    int length = snprintf(in_target, sizeof in_target, "%s/%s", f->path, name);
    if (!ours && (length >= PATH_MAX || (is_newer(folder, name, in_target) &&
                                         renameat(folder, name, AT_FDCWD, in_target) != 0)))
        return true;
    if (unlinkat(folder, name, 0) != 0 && cob_is_temporary(name)) { /* a folder, of another run */
        int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) {
            empty(inner, context);
            close(inner);
        }
        unlinkat(folder, name, AT_REMOVEDIR);
    }
    return true;
}

static void empty(int folder, const void *context)
{
    for_entries(folder, drop, context);
}

/* ---- creating -------------------------------------------------------------------------------- */

static bool is_mount_point(const char *path)
{
    struct statx about;
    return statx(AT_FDCWD, path, 0, STATX_TYPE, &about) == 0 &&
           (about.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

/* Exchanged, it would be another folder for processes that work in it. */
static bool holds_working_directory(const char *path)
{
    char here[PATH_MAX];
    size_t length = strlen(path);
    return !getcwd(here, sizeof here) ||
           (strncmp(here, path, length) == 0 && (here[length] == '/' || here[length] == '\0'));
}

static bool has_access_list(const char *path)
{
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0 ||
           getxattr(path, "system.posix_acl_default", NULL, 0) > 0;
}

/* Makes the new folder beside the target or, if that is not possible, in it. */
static int make_temporary(cob_folder *f, bool there)
{
    bool inside = there && (strcmp(f->path, "/") == 0 || is_mount_point(f->path) ||
                            holds_working_directory(f->path) || has_access_list(f->path));
    int fd = -1;
    if (!inside)
        fd = cob_temporary_make(f->path, empty, f, &f->temporary);
    if (fd >= 0 || !there || (!inside && errno != EACCES && errno != EPERM && errno != EROFS))
        return fd;
    char *in = cob_path_inside(f->path, "result");
    if (in)
        fd = cob_temporary_make(in, empty, f, &f->temporary);
    else
        errno = ENOMEM;
    cob_free(in);
    return fd;
}

/* The path with links followed, or without slashes at its end if nothing is there. */
static cobloc_status find_target(const char *path, cob_folder *f, struct stat *about, bool *there,
                                 cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char whole[PATH_MAX];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    COB_CHECK(length > 0, COBLOC_BAD_ARGUMENT, "the folder to write has no name");
    *there = stat(path, about) == 0;
    COB_CHECK(*there || errno == ENOENT, COBLOC_IO, "%s: cannot be made: %s", path,
              strerror(errno));
    COB_CHECK(!*there || S_ISDIR(about->st_mode), COBLOC_IO, "%s: cannot be made: %s", path,
              strerror(ENOTDIR));
    COB_CHECK(!*there || access(path, W_OK | X_OK) == 0, COBLOC_IO, "%s: cannot be written: %s",
              path, strerror(errno));
    COB_TRY(cob_copy_text(*there && realpath(path, whole) ? whole : path, &f->path, err));
    if (!*there)
        f->path[length] = '\0';
done:
    return status;
}

void cob_folder_drop(cob_folder *f)
{
    if (!f)
        return;
    if (f->fd >= 0 && f->temporary) {
        empty(f->fd, f);
        rmdir(f->temporary);
    }
    if (f->fd >= 0)
        close(f->fd);
    cob_free(f->temporary);
    cob_free(f->given);
    cob_free(f->path);
    cob_free(f);
}

cobloc_status cob_folder_create(const char *path, const cob_belongings *ours, cob_folder **out,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_folder *f = NULL;
    struct stat about;
    bool there = false;
    COB_NEW_ZERO(f, 1);
    f->ours = *ours;
    f->fd = -1;
    COB_TRY(cob_copy_text(path, &f->given, err));
    COB_TRY(find_target(path, f, &about, &there, err));
    f->fd = make_temporary(f, there);
    COB_CHECK(f->fd >= 0 || errno != ENOMEM, COBLOC_NO_MEMORY, "out of memory");
    COB_CHECK(f->fd >= 0, COBLOC_IO, "%s: cannot be made: %s", path, strerror(errno));
    if (there) { /* before there are files in it, because they may inherit the group */
        (void)!fchown(f->fd, about.st_uid, about.st_gid);
        (void)fchmod(f->fd, about.st_mode & 07777);
    }
    *out = f;
    f = NULL;
done:
    cob_folder_drop(f);
    return status;
}

char *cob_folder_path(const cob_folder *folder, const char *name)
{
    return cob_path_inside(folder->temporary, name);
}

/* ---- committing ------------------------------------------------------------------------------ */

/* Whether a file of the old folder is to go. */
static bool is_old(const cob_folder *f, int folder, const char *name)
{
    const cob_belongings *ours = &f->ours;
    return (is_ours(ours, name) || ours->marked(folder, name)) &&
           ours->outdated(f->path, name, ours->context);
}

/* Gives a file of the old folder that is to stay a second name in the new one. */
static bool keep(int folder, const char *name, const void *context)
{
    const cob_folder *f = context;
    if (cob_is_temporary(name) || exists(f->fd, name) || is_old(f, folder, name))
        return true;
    return linkat(folder, name, f->fd, name, 0) == 0;
}

/* Opens and locks the target, which another writer may just be replacing. */
static int lock_target(const cob_folder *f)
{
    struct stat open_one, named;
    for (;;) {
        int fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
            return -1;
        (void)flock(fd, LOCK_EX); /* a file system without locks has one writer */
        if (fstat(fd, &open_one) != 0 || stat(f->path, &named) != 0 ||
            (open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino))
            return fd;
        close(fd);
    }
}

/* Whether the failure says that the folders cannot be exchanged, and not that the disk failed. */
static bool not_possible(int error)
{
    return error == EINVAL || error == ENOSYS || error == ENOTSUP || error == EXDEV ||
           error == EBUSY || error == EPERM || error == EACCES;
}

/* Removes a marked file of an earlier run. */
static bool drop_marked(int folder, const char *name, const void *context)
{
    const cob_folder *f = context;
    if (!is_ours(&f->ours, name) && is_old(f, folder, name))
        unlinkat(folder, name, 0);
    return true;
}

/* Renames file by file, and removes outdated ones that have no successor. Returns errno. */
static int rename_files(const cob_folder *f, int old)
{
    const cob_belongings *ours = &f->ours;
    for_entries(old, drop_marked, f); /* while the old model.json says that there was a run */
    for (int i = 0; ours->names[i]; i++) {
        const char *name = ours->names[i];
        if (renameat(f->fd, name, old, name) == 0)
            continue;
        if (errno != ENOENT)
            return errno;
        if (ours->outdated(f->path, name, ours->context))
            unlinkat(old, name, 0);
    }
    return fsync(old) == 0 ? 0 : errno;
}

/* Puts the new folder in the place of the old one, which is locked. Returns errno. */
static int replace(cob_folder *f, int old)
{
    int error = EINVAL;
    struct stat about;
    for (int i = 0; f->ours.names[i]; i++)
        if (fstatat(old, f->ours.names[i], &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(about.st_mode))
            return EISDIR;
#ifdef RENAME_EXCHANGE
    bool inside = strncmp(f->temporary, f->path, strlen(f->path)) == 0 &&
                  f->temporary[strlen(f->path)] == '/';
    if (!inside && for_entries(old, keep, f))
        error =
            renameat2(AT_FDCWD, f->temporary, AT_FDCWD, f->path, RENAME_EXCHANGE) == 0 ? 0 : errno;
#endif
    if (error && not_possible(error))
        return rename_files(f, old);
    if (error)
        return error;
    cob_sync_folder_of(f->path);
    close(f->fd); /* now the target; its old files are in the temporary folder */
    f->fd = dup(old);
    return 0;
}

/* Returns errno. */
static int commit(cob_folder *f)
{
    if (fsync(f->fd) != 0)
        return errno;
    if (rename(f->temporary, f->path) == 0) { /* there was none, or an empty one */
        cob_sync_folder_of(f->path);
        cob_free(f->temporary);
        f->temporary = NULL;
        return 0;
    }
    int old = lock_target(f);
    if (old < 0)
        return errno;
    int error = replace(f, old);
    close(old);
    return error;
}

/* A message names the file that was to be, not the temporary one. */
static void name_target(const cob_folder *f, cobloc_error *err)
{
    size_t length = strlen(f->temporary);
    cobloc_error found = *err;
    if (strncmp(found.message, f->temporary, length) == 0)
        cob_fail(err, found.status, "%s%s", f->given, found.message + length);
}

cobloc_status cob_folder_finish(cob_folder *f, cobloc_status status, cobloc_error *err)
{
    if (f && status == COBLOC_OK) {
        int error = commit(f);
        if (error)
            status =
                cob_fail(err, COBLOC_IO, "%s: cannot be written: %s", f->given, strerror(error));
    } else if (f && err) {
        name_target(f, err);
    }
    cob_folder_drop(f);
    return status;
}
