//! The statements of a dump: which table there is, which columns it has, and where its rows begin.

use super::row::blanks;
use memchr::{memchr, memmem};

/// A word of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'a> {
    /// A bare word or number.
    Word(&'a [u8]),
    /// A name in backticks or double quotation marks.
    Name(String),
    /// A text.
    Text,
    Symbol(u8),
}

/// The tokens at the start of some bytes.
struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Tokens { bytes, at: 0 }
    }

    /// The next token; none if the bytes may end within it.
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.at += blanks(&self.bytes[self.at..]);
            let rest = &self.bytes[self.at..];
            match comment(rest)? {
                0 => break,
                length => self.at += length,
            }
        }
        let rest = &self.bytes[self.at..];
        let (token, length) = match *rest.first()? {
            quote @ (b'`' | b'"') => {
                let length = quoted(rest, quote)?;
                let name = String::from_utf8_lossy(&rest[1..length - 1]);
                let doubled = [quote as char; 2].iter().collect::<String>();
                let name = name.replace(&doubled, &doubled[1..]);
                (Token::Name(name), length)
            }
            b'\'' => (Token::Text, quoted(rest, b'\'')?),
            byte if is_of_word(byte) => {
                let length = rest.iter().position(|&byte| !is_of_word(byte))?;
                (Token::Word(&rest[..length]), length)
            }
            byte => (Token::Symbol(byte), 1),
        };
        self.at += length;
        Some(token)
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'.') || byte >= 0x80
}

/// The length of what stands between quotation marks, marks included; none if it does not end.
fn quoted(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            // A name has no escapes.
            b'\\' if quote != b'`' => at += 2,
            byte if byte == quote => match bytes.get(at + 1)? {
                &next if next == quote => at += 2,
                _ => return Some(at + 1),
            },
            _ => at += 1,
        }
    }
}

/// The length of the comment at the start, 0 if there is none; nothing if the bytes end within it. At the
/// end of a file, no comment begins with what is left.
pub(super) fn comment(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'#', ..] | [b'-', b'-', b' ' | b'\n' | b'\r' | b'\t', ..] => {
            memchr(b'\n', bytes).map(|end| end + 1)
        }
        [b'/', b'*', ..] => memmem::find(&bytes[2..], b"*/").map(|end| end + 4),
        [b'-'] | [b'-', b'-'] | [b'/'] => None,
        _ => Some(0),
    }
}

/// The length of the statement at the start, with its semicolon; none if it does not end.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let mut tokens = Tokens::new(bytes);
    while tokens.next()? != Token::Symbol(b';') {}
    Some(tokens.at)
}

/// The kind of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statement {
    /// `CREATE TABLE`
    Create,
    /// `INSERT` or `REPLACE`
    Insert,
    /// Another one.
    Other,
}

/// The kind of the statement at the start; none if the bytes do not show it.
pub(super) fn kind(bytes: &[u8]) -> Option<Statement> {
    let mut tokens = Tokens::new(bytes);
    let mut word = || tokens.next();
    Some(match word()? {
        first if is(&first, "insert") || is(&first, "replace") => Statement::Insert,
        first if is(&first, "create") && is(&word()?, "table") => Statement::Create,
        _ => Statement::Other,
    })
}

fn is(token: &Token, word: &str) -> bool {
    matches!(token, Token::Word(found) if found.eq_ignore_ascii_case(word.as_bytes()))
}

/// A table as its `CREATE TABLE` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    /// The number that the next row would get; all numbers are below.
    pub(super) next_number: Option<u64>,
}

/// The words with which parts of a table begin that are no columns.
const NO_COLUMNS: [&str; 9] = [
    "primary",
    "unique",
    "key",
    "index",
    "constraint",
    "fulltext",
    "spatial",
    "foreign",
    "check",
];

/// Reads a `CREATE TABLE`.
///
/// # Errors
/// If it is none that is understood.
pub(super) fn table(statement: &[u8]) -> Result<Table, &'static str> {
    const WRONG: &str = "its CREATE TABLE is not understood";
    let mut tokens = Tokens::new(statement);
    let mut next = || tokens.next().ok_or(WRONG);
    next()?;
    next()?;
    let mut token = next()?;
    if is(&token, "if") {
        next()?;
        next()?;
        token = next()?;
    }
    let (name, mut token) = name(token, &mut next)?;
    if token != Token::Symbol(b'(') {
        return Err(WRONG);
    }
    let (mut columns, mut depth, mut begins) = (Vec::new(), 1, true);
    while depth > 0 {
        token = next()?;
        if std::mem::take(&mut begins) {
            match &token {
                Token::Name(name) => columns.push(name.clone()),
                Token::Word(word) if !NO_COLUMNS.iter().any(|it| is(&token, it)) => {
                    columns.push(String::from_utf8_lossy(word).into_owned());
                }
                _ => {}
            }
        }
        match token {
            Token::Symbol(b'(') => depth += 1,
            Token::Symbol(b')') => depth -= 1,
            Token::Symbol(b',') => begins = depth == 1,
            Token::Symbol(b';') => return Err(WRONG),
            _ => {}
        }
    }
    let mut next_number = None;
    loop {
        let token = next()?;
        if token == Token::Symbol(b';') {
            break;
        }
        if is(&token, "auto_increment")
            && next()? == Token::Symbol(b'=')
            && let Token::Word(number) = next()?
        {
            let number = std::str::from_utf8(number).ok();
            next_number = number.and_then(|number| number.parse().ok());
        }
    }
    Ok(Table {
        name,
        columns,
        next_number,
    })
}

/// The name of a table, without that of its database, and the token behind it.
fn name<'a, E>(
    first: Token<'a>,
    next: &mut dyn FnMut() -> Result<Token<'a>, E>,
) -> Result<(String, Token<'a>), E> {
    let (mut token, mut last) = (first, String::new());
    // A bare name may have its database before a full stop, and so may one in backticks.
    let mut is_open = true;
    loop {
        match token {
            Token::Name(name) if is_open => (last, is_open) = (name, false),
            Token::Word(word) if is_open || word.starts_with(b".") => {
                let word = word.rsplit(|&byte| byte == b'.').next().unwrap_or(word);
                last = String::from_utf8_lossy(word).into_owned();
                is_open = last.is_empty();
            }
            other => return Ok((last, other)),
        }
        token = next()?;
    }
}

/// The text before the rows of an `INSERT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) table: String,
    /// The columns that its rows have, if it names them.
    pub(super) columns: Option<Vec<String>>,
    /// Its length in bytes.
    pub(super) length: usize,
}

/// Reads what stands before the rows of an `INSERT`; none if the bytes end there.
///
/// # Errors
/// If it is none that is understood.
pub(super) fn head(bytes: &[u8]) -> Option<Result<Head, &'static str>> {
    const WRONG: Option<Result<Head, &str>> = Some(Err("its INSERT is not understood"));
    let mut tokens = Tokens::new(bytes);
    let mut next = || tokens.next().ok_or(());
    let words = [
        "insert",
        "replace",
        "ignore",
        "low_priority",
        "delayed",
        "into",
    ];
    let mut token = next().ok()?;
    while words.iter().any(|word| is(&token, word)) {
        token = next().ok()?;
    }
    let (table, mut token) = name(token, &mut next).ok()?;
    let mut columns = None;
    if token == Token::Symbol(b'(') {
        let list: &mut Vec<String> = columns.insert(Vec::new());
        loop {
            match next().ok()? {
                Token::Name(name) => list.push(name),
                Token::Word(word) => list.push(String::from_utf8_lossy(word).into_owned()),
                Token::Symbol(b',') => {}
                Token::Symbol(b')') => break,
                _ => return WRONG,
            }
        }
        token = next().ok()?;
    }
    if !is(&token, "values") && !is(&token, "value") {
        return WRONG;
    }
    Some(Ok(Head {
        table,
        columns,
        length: tokens.at,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREATE: &str = "CREATE TABLE IF NOT EXISTS `wiki`.`page` (\n\
        `page_id` int(8) unsigned NOT NULL AUTO_INCREMENT COMMENT 'a;b',\n\
        `odd``name` decimal(3,2) DEFAULT '0;\\'',\n\
        page_title varbinary(255) NOT NULL DEFAULT '', -- a comment; with (\n\
        PRIMARY KEY (`page_id`), UNIQUE KEY `x` (`a`,`b`), KEY `y` (`c`)\n\
        ) ENGINE=InnoDB AUTO_INCREMENT=5889 /*!50100 PARTITION; */ DEFAULT CHARSET=binary;";

    #[test]
    fn a_table_has_its_columns_and_no_keys() {
        assert_eq!(length(CREATE.as_bytes()), Some(CREATE.len()));
        assert_eq!(kind(CREATE.as_bytes()), Some(Statement::Create));
        let columns = ["page_id", "odd`name", "page_title"];
        let expected = Table {
            name: "page".to_owned(),
            columns: columns.map(str::to_owned).to_vec(),
            next_number: Some(5889),
        };
        assert_eq!(table(CREATE.as_bytes()), Ok(expected));
        for end in 0..CREATE.len() {
            assert!(table(&CREATE.as_bytes()[..end]).is_err(), "{end}");
            assert_eq!(length(&CREATE.as_bytes()[..end]), None, "{end}");
        }
    }

    #[test]
    fn an_insert_may_name_its_columns() {
        for (statement, table, columns) in [
            ("INSERT INTO `a` VALUES (1", "a", None),
            ("insert ignore into w.a values(1", "a", None),
            (
                "REPLACE INTO `w`.`a` (`x`, y) VALUES\n(1",
                "a",
                Some(["x", "y"]),
            ),
        ] {
            let found = head(statement.as_bytes()).unwrap().unwrap();
            let columns = columns.map(|columns| columns.map(str::to_owned).to_vec());
            assert_eq!((&*found.table, found.columns), (table, columns));
            let rest = statement[found.length..].trim_start();
            assert_eq!(rest, "(1");
        }
        assert!(head(b"INSERT INTO `a` SELECT 1").unwrap().is_err());
        assert_eq!(head(b"INSERT INTO `a` VALU"), None);
    }

    #[test]
    fn comments_are_no_statements() {
        assert_eq!(comment(b"-- x\ny"), Some(5));
        assert_eq!(comment(b"--\ny"), Some(3));
        assert_eq!(comment(b"/*!1 x */;"), Some(9));
        assert_eq!(comment(b"-1"), Some(0));
        assert_eq!(comment(b"/* x"), None);
        assert_eq!(kind(b"/*!4 x */ # y\nLOCK TABLES"), Some(Statement::Other));
    }
}
