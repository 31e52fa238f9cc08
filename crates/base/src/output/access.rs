//! Who may read a file that replaces another: whoever could read the old one, and nobody else.

use std::fs::{File, Metadata};
use std::path::Path;

/// The permissions of new files, which the process's umask narrows.
const NEW: u32 = 0o666;

/// The permissions with which the replacement of `old` is made, narrowed by the process's umask.
pub(super) fn mode(old: Option<&Metadata>) -> u32 {
    #[cfg(unix)]
    use std::os::unix::fs::MetadataExt;
    #[cfg(unix)]
    return old.map_or(NEW, |old| old.mode() & 0o777);
    #[cfg(not(unix))]
    old.map_or(NEW, |_| NEW)
}

/// True if two files belong to the same user.
#[cfg(unix)]
pub(super) fn have_one_owner(one: &Metadata, other: &Metadata) -> bool {
    #[cfg(unix)]
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

/// False where the system does not say.
#[cfg(not(unix))]
pub(super) fn have_one_owner(_one: &Metadata, _other: &Metadata) -> bool {
    false
}

/// True for a link in a folder where all may write but only owners remove, such as `/tmp`, that belongs
/// neither to this user nor to the owner of the folder: whoever put it there chooses which file
/// would be replaced. Linux does not follow such links either.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
pub(super) fn is_trap(link: &Metadata, folder: &Metadata) -> bool {
    #[cfg(unix)]
    use std::os::unix::fs::MetadataExt;
    let is_shared = folder.mode() & 0o1002 == 0o1002;
    let own = rustix::process::geteuid().as_raw();
    is_shared && ![own, folder.uid()].contains(&link.uid())
}

/// False where the system does not say.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
pub(super) fn is_trap(_link: &Metadata, _folder: &Metadata) -> bool {
    false
}

/// Gives `new` the owner and the permissions of `old`, as far as the system allows. A group that
/// cannot be kept does not pass its rights on to another one.
#[cfg(unix)]
pub(super) fn keep(new: &File, old: &Metadata) {
    #[cfg(unix)]
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let Ok(now) = new.metadata() else { return };
    let mut mode = old.mode() & 0o777;
    if (now.uid(), now.gid()) != (old.uid(), old.gid())
        && fchown(new, Some(old.uid()), Some(old.gid())).is_err()
        && now.gid() != old.gid()
        && fchown(new, None, Some(old.gid())).is_err()
    {
        mode &= !0o070;
    }
    // A file system without permissions has none to keep.
    let _ = new.set_permissions(PermissionsExt::from_mode(mode));
}

#[cfg(not(unix))]
pub(super) fn keep(_new: &File, _old: &Metadata) {}

/// Gives the files of the directory `new`, and itself, the access of their namesakes in `old`.
pub(super) fn keep_all(new: &Path, old: &Path) {
    let Ok(entries) = new.read_dir() else { return };
    let names = entries.flatten().map(|entry| entry.file_name());
    let pairs = names.map(|name| (new.join(&name), old.join(&name)));
    for (new, old) in pairs.chain([(new.to_owned(), old.to_owned())]) {
        if let (Ok(new), Ok(old)) = (File::open(new), old.metadata()) {
            keep(&new, &old);
        }
    }
}
