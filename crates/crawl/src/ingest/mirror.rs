//! Folders of HTML: a mirror of a site on disk.
//!
//! Pages are the regular files below the folder whose names end in .html, .htm, .xhtml or .xht, in the
//! order of their paths. Symbolic links are not followed, so no page is there twice. A page is named by
//! the base URL and its path below the folder. Links below the base are read as a server of files
//! would: percent-encodings are undone and made again, a query does not count where no file has it, and
//! a folder stands for its index.html.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};
use url::Url;
use webrank_base::error::{Error, Result};

/// Characters that the standard encodes in paths, or that would end one.
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'%')
    .add(b'\\');

/// How deep folders may lie in each other.
const DEPTH: usize = 256;

/// The files of pages below a folder, by their paths.
///
/// # Errors
/// If a folder cannot be read, or if they lie too deep.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        if depth > DEPTH {
            let problem = format!("lies in more than {DEPTH} folders; move it up");
            return Err(Error::file(folder, problem));
        }
        let cannot = |source| Error::io(&folder, "cannot read", source);
        for entry in folder.read_dir().map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let kind = entry.file_type().map_err(cannot)?;
            let path = entry.path();
            if kind.is_dir() {
                folders.push((path, depth + 1));
            } else if kind.is_file() && is_page(&path) {
                files.push(path);
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

fn is_page(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let known = ["html", "htm", "xhtml", "xht"];
    extension.is_some_and(|extension| known.iter().any(|it| it.eq_ignore_ascii_case(extension)))
}

/// Where the pages of folders are on the web.
#[derive(Debug, Clone)]
pub(super) struct Base(Url);

impl Base {
    /// A base such as `https://example.org/docs/`; a slash is added if it lacks one.
    ///
    /// # Errors
    /// If it is no URL that has paths.
    pub(super) fn new(base: &str) -> Result<Self> {
        let wrong = |why: String| {
            let remedy = format!("{why}: give a URL such as https://example.org/docs/");
            Error::argument("base", base, remedy)
        };
        let mut url = Url::parse(base).map_err(|problem| wrong(problem.to_string()))?;
        if url.cannot_be_a_base() {
            return Err(wrong("nothing can lie below it".to_owned()));
        }
        url.set_query(None);
        url.set_fragment(None);
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(Base(url))
    }

    pub(super) fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// The URL of a file below a folder; none if its name is not UTF-8.
    pub(super) fn url_of(&self, folder: &Path, file: &Path) -> Option<String> {
        let path = file.strip_prefix(folder).ok()?;
        let mut url = self.0.as_str().to_owned();
        for (number, part) in path.iter().enumerate() {
            if number > 0 {
                url.push('/');
            }
            url.extend(utf8_percent_encode(part.to_str()?, IN_PATH));
        }
        Some(url)
    }

    /// The names under which a server of files would find a URL, in the order in which it looks.
    pub(super) fn names_of(&self, url: &str) -> Vec<String> {
        let Some(rest) = url.strip_prefix(self.0.as_str()) else {
            return Vec::new();
        };
        let recoded = |path: &str| -> Option<String> {
            let mut name = self.0.as_str().to_owned();
            for (number, part) in path.split('/').enumerate() {
                if number > 0 {
                    name.push('/');
                }
                let part = percent_decode_str(part).decode_utf8().ok()?;
                // An encoded slash is part of no name.
                if part.contains('/') {
                    return None;
                }
                name.extend(utf8_percent_encode(&part, IN_PATH));
            }
            Some(name)
        };
        let mut names = Vec::new();
        let path = rest.split('?').next().unwrap_or(rest);
        for path in [rest, path] {
            names.extend(recoded(path));
        }
        if let Some(path) = recoded(path) {
            let slash = if path.ends_with('/') { "" } else { "/" };
            names.push(format!("{path}{slash}index.html"));
        }
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_urls_and_urls_have_files() {
        let base = Base::new("https://example.org/docs?x#y").unwrap();
        let name = |path: &str| base.url_of("/m".as_ref(), path.as_ref()).unwrap();
        assert_eq!(
            name("/m/a b/ü?.html"),
            "https://example.org/docs/a%20b/%C3%BC%3F.html"
        );
        let names = base.names_of("https://example.org/docs/%61%20b/?q");
        assert_eq!(
            names,
            [
                "https://example.org/docs/a%20b/%3Fq",
                "https://example.org/docs/a%20b/",
                "https://example.org/docs/a%20b/index.html",
            ]
        );
        assert!(base.names_of("https://example.org/other").is_empty());
        for wrong in ["docs", "mailto:x", "data:,x"] {
            let problem = Base::new(wrong).unwrap_err().to_string();
            assert!(problem.contains("give a URL such as"), "{problem}");
        }
    }
}
