/* Targets and temporaries.
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE /* flock, readlink, realpath */
#include "base/target.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { SLOTS = 100, LONGEST_NAME = 200, SUFFIX_ROOM = 32 };
static const char MARK[] = ".cobloc-";

/* ---- looking --------------------------------------------------------------------------------- */

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* /dev/stdout may be a plain file; replacing it would take it away from those who read it. */
bool cob_is_standard_output(const char *path)
{
    struct stat about, out;
    return strcmp(path, "-") == 0 ||
           (stat(path, &about) == 0 && fstat(STDOUT_FILENO, &out) == 0 && same(&about, &out));
}

bool cob_is_stream(const char *path)
{
    struct stat about;
    return cob_is_standard_output(path) || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
}

/* Where a link that leads nowhere yet points to; other paths stay as they are. */
static void follow_link(char path[PATH_MAX])
{
    char link[PATH_MAX], joined[2 * PATH_MAX];
    for (int step = 0; step < 40; step++) {
        ssize_t length = readlink(path, link, sizeof link - 1);
        if (length < 0)
            return;
        link[length] = '\0';
        const char *slash = strrchr(path, '/');
        int folder = *link == '/' || !slash ? 0 : (int)(slash - path) + 1;
        if (snprintf(joined, sizeof joined, "%.*s%s", folder, path, link) >= PATH_MAX)
            return;
        memcpy(path, joined, strlen(joined) + 1);
    }
}

cobloc_status cob_target_look(const char *path, cob_target *target, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    struct stat about = {0};
    char whole[PATH_MAX];
    bool there = stat(path, &about) == 0;
    *target = (cob_target){.stream = cob_is_stream(path)};
    bool wrong = there && (S_ISDIR(about.st_mode) || S_ISSOCK(about.st_mode));
    COB_CHECK(!wrong || cob_is_standard_output(path), COBLOC_IO,
              "%s: cannot be written: it is a %s", path,
              S_ISDIR(about.st_mode) ? "folder" : "socket");
    if (target->stream)
        goto done;
    COB_CHECK(strlen(path) < PATH_MAX, COBLOC_IO, "%s: cannot be written: %s", path,
              strerror(ENAMETOOLONG));
    if (!there || !realpath(path, whole)) {
        memcpy(whole, path, strlen(path) + 1);
        follow_link(whole);
    }
    target->mode = there ? about.st_mode & 07777 : 0;
    COB_TRY(cob_copy_text(whole, &target->path, err));
done:
    return status;
}

double cob_space_left(const char *path)
{
    struct statvfs disk;
    if (statvfs(path, &disk) != 0 || disk.f_blocks == 0) /* of some networks */
        return INFINITY;
    return (double)disk.f_bavail * (double)disk.f_frsize;
}

/* ---- temporaries ----------------------------------------------------------------------------- */

bool cob_is_temporary(const char *name)
{
    return *name == '.' && strstr(name, MARK);
}

static void name_temporary(const char *beside, int slot, char *place, size_t room)
{
    const char *slash = strrchr(beside, '/'), *name = slash ? slash + 1 : beside;
    snprintf(place, room, "%.*s.%.*s%s%d", (int)(name - beside), beside, (int)LONGEST_NAME, name,
             MARK, slot);
}

/* Locks what is open, and checks that it still has its name: else another process was faster. Where
 * a file system has no locks, what is `fresh` is ours. */
static bool lock(int fd, const char *place, bool fresh)
{
    struct stat open_one, named;
    bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0 || (fresh && errno != EWOULDBLOCK);
    return locked && fstat(fd, &open_one) == 0 && lstat(place, &named) == 0 &&
           same(&open_one, &named) && open_one.st_uid == geteuid();
}

/* Removes what a process that is no more left under this name; false if there is nothing. */
static bool remove_left(const char *place, cob_empty_fn empty, const void *context)
{
    int kind = empty ? O_RDONLY | O_DIRECTORY : O_RDWR;
    int fd = open(place, kind | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno != ENOENT;
    if (lock(fd, place, false)) {
        if (empty)
            empty(fd, context);
        (void)(empty ? rmdir : unlink)(place);
    }
    close(fd);
    return true;
}

/* A new file or folder of this name, locked; -1 if it is there or was taken by another process
 * (EEXIST), or cannot be made. */
static int make_fresh(const char *place, bool folder)
{
    int fd = -1;
    if (!folder)
        fd = open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    else if (mkdir(place, 0777) == 0)
        fd = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || lock(fd, place, true))
        return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

int cob_temporary_make(const char *beside, cob_empty_fn empty, const void *context, char **place)
{
    size_t room = strlen(beside) + SUFFIX_ROOM;
    char *name = cob_alloc(room, 1);
    int fd = -1, taken = 0, error = name ? EEXIST : ENOMEM;
    for (int slot = 0; name && slot < SLOTS; slot++) {
        name_temporary(beside, slot, name, room);
        bool left = remove_left(name, empty, context);
        if (fd >= 0 && !left)
            break;
        if (fd < 0 && error == EEXIST) {
            fd = make_fresh(name, empty != NULL);
            error = errno;
            taken = slot;
        }
    }
    if (fd < 0) {
        cob_free(name);
        errno = error;
        return -1;
    }
    name_temporary(beside, taken, name, room);
    *place = name;
    return fd;
}
