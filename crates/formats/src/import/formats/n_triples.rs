//! N-Triples and N-Quads: a statement in each line, `<subject> <predicate> <object> .`
//!
//! A statement is an arc from its subject to its object. Nodes are called by their IRIs without angle
//! brackets, escapes in them resolved, or by the labels of blank nodes (`_:b0`). Statements about
//! literals are left out, and counted; so are those with other predicates than the chosen ones. The
//! graph of a quad does not count. Comments begin with `#`. Quoted triples are refused.

use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::note;
use memchr::{memchr, memchr2};
use std::borrow::Cow;
use webrank_base::error::Result;
use webrank_base::shown::quoted;
use webrank_tables::text::records::{Record, Records};

/// A list of statements; if predicates are given, others are left out.
pub(in crate::import) fn open(records: Records, predicates: &[String]) -> Input {
    let bare = |iri: &String| {
        let inside = iri.strip_prefix('<').and_then(|iri| iri.strip_suffix('>'));
        inside.unwrap_or(iri).to_owned()
    };
    let mut statements = Statements {
        predicates: predicates.iter().map(bare).collect(),
        literals: 0,
        others: 0,
    };
    let records = records.whole_lines().without_comments();
    Input {
        weighted: false,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| statements.read(records, to)),
    }
}

/// True if the first line that is no comment is a statement.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    let mut lines = first.text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    match line.map(statement) {
        Some(Ok(Some(_))) => Verdict::Is("starts with a statement of N-Triples".into()),
        _ if line.is_some_and(|line| line.starts_with("@prefix") || line.starts_with("@base")) => {
            let why =
                "Turtle, of which only N-Triples are read: convert it, as in 'riot --output=nt'";
            Verdict::IsClose(why.into())
        }
        _ => Verdict::No,
    }
}

/// The predicates to take, and counts of the rest.
struct Statements {
    predicates: Vec<String>,
    literals: u64,
    others: u64,
}

/// A statement. The object is none if it is a literal.
struct Statement<'a> {
    subject: Cow<'a, str>,
    predicate: Cow<'a, str>,
    object: Option<Cow<'a, str>>,
}

/// A part of a statement.
enum Term<'a> {
    Iri(Cow<'a, str>),
    Blank(&'a str),
    Literal,
}

impl Statements {
    fn read(&mut self, mut records: Records, to: &mut dyn Receiver) -> Result<()> {
        while records.advance()? {
            let record = records.record();
            let taken = self.take(&record, to);
            settle(taken, to, |problem| record.wrong(problem))?;
        }
        let text = "statements about literals left out";
        note(to, self.literals, Note::left_out("literals", 0, text));
        let text = "statements with other predicates left out";
        note(to, self.others, Note::left_out("predicates", 0, text));
        Ok(())
    }

    fn take(&mut self, record: &Record, to: &mut dyn Receiver) -> Result<(), Problem> {
        let Some(statement) = statement(super::text(record, 0)?)? else {
            return Ok(());
        };
        let is_chosen = |chosen: &String| *chosen == statement.predicate;
        if !self.predicates.is_empty() && !self.predicates.iter().any(is_chosen) {
            self.others += 1;
            return Ok(());
        }
        let Some(object) = statement.object else {
            self.literals += 1;
            return Ok(());
        };
        let source = to.key(&statement.subject)?;
        let target = to.key(&object)?;
        to.arc(source, target, 1.0)
    }
}

/// The statement in a line; none if it is a comment.
fn statement(line: &str) -> Result<Option<Statement<'_>>, String> {
    let line = blanks(line);
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (subject, rest) = term(line, "subject")?;
    let (predicate, rest) = term(blanks(rest), "predicate")?;
    let (object, rest) = term(blanks(rest), "object")?;
    let mut rest = blanks(rest);
    if rest.starts_with(['<', '_']) {
        let (graph, after) = term(rest, "graph")?;
        node(graph, "graph")?;
        rest = blanks(after);
    }
    let Some(rest) = rest.strip_prefix('.') else {
        return Err("no '.' at the end of the statement".into());
    };
    let rest = blanks(rest);
    if !rest.is_empty() && !rest.starts_with('#') {
        return Err(format!("{} after the end of the statement", quoted(rest)));
    }
    let Term::Iri(predicate) = predicate else {
        return Err("the predicate is no IRI in angle brackets".into());
    };
    let object = match object {
        Term::Literal => None,
        object => Some(node(object, "object")?),
    };
    Ok(Some(Statement {
        subject: node(subject, "subject")?,
        predicate,
        object,
    }))
}

fn blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

/// The name of a node.
fn node<'a>(term: Term<'a>, role: &str) -> Result<Cow<'a, str>, String> {
    match term {
        Term::Iri(iri) => Ok(iri),
        Term::Blank(label) => Ok(Cow::Borrowed(label)),
        Term::Literal => Err(format!("the {role} is a literal")),
    }
}

/// The term that a text starts with, and what follows.
fn term<'a>(text: &'a str, role: &str) -> Result<(Term<'a>, &'a str), String> {
    match text.as_bytes() {
        [b'<', b'<', ..] => Err(format!(
            "the {role} is a quoted triple of RDF 1.2; write a graph of N-Triples 1.1"
        )),
        [b'<', ..] => {
            let (iri, rest) = iri(text, role)?;
            Ok((Term::Iri(iri), rest))
        }
        [b'_', b':', ..] => Ok(blank_node(text)),
        [b'"', ..] => Ok((Term::Literal, after_literal(text)?)),
        _ => Err(format!(
            "the {role} is neither an IRI in angle brackets nor a blank node nor a literal in \
             quotation marks; a line is '<subject> <predicate> <object> .'"
        )),
    }
}

/// An IRI, without its angle brackets.
fn iri<'a>(text: &'a str, role: &str) -> Result<(Cow<'a, str>, &'a str), String> {
    let Some(end) = memchr(b'>', text.as_bytes()) else {
        return Err(format!("the IRI of the {role} has no '>' at its end"));
    };
    let iri = &text[1..end];
    if iri
        .bytes()
        .any(|byte| byte <= b' ' || byte == b'<' || byte == b'"')
    {
        let iri = quoted(iri);
        return Err(format!(
            "the IRI {iri} of the {role} has a blank or a sign that none may have"
        ));
    }
    let iri = match iri.contains('\\') {
        true => Cow::Owned(unescaped(iri)?),
        false => Cow::Borrowed(iri),
    };
    Ok((iri, &text[end + 1..]))
}

/// An IRI with its escapes `\uXXXX` and `\UXXXXXXXX` resolved.
fn unescaped(iri: &str) -> Result<String, String> {
    let mut parts = iri.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = match part.as_bytes().first() {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let escaped = part.get(1..1 + digits).filter(|_| digits > 0);
        let code = escaped.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let letter = code.and_then(char::from_u32).filter(|letter| *letter > ' ');
        let letter = letter.ok_or_else(|| format!("an escape in {} is none", quoted(iri)))?;
        text.push(letter);
        text.push_str(&part[1 + digits..]);
    }
    Ok(text)
}

/// A blank node; a full stop at its end is that of the statement.
fn blank_node(text: &str) -> (Term<'_>, &str) {
    let end = text.find([' ', '\t', '<', '"']).unwrap_or(text.len());
    let label = text[..end].trim_end_matches('.');
    (Term::Blank(label), &text[label.len()..])
}

/// The text behind a literal with its language or type.
fn after_literal(text: &str) -> Result<&str, String> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        let Some(place) = memchr2(b'"', b'\\', &bytes[at..]) else {
            return Err("a literal has no quotation mark at its end".into());
        };
        at += place + 1;
        if bytes[at - 1] == b'"' {
            break;
        }
        // The letter that is escaped; a line may end there.
        at = (at + 1).min(bytes.len());
    }
    // A letter of several bytes may be escaped wrongly.
    let rest = text.get(at..).ok_or("an escape in a literal is none")?;
    if let Some(kind) = rest.strip_prefix("^^") {
        if !kind.starts_with('<') {
            return Err("the type of a literal is no IRI in angle brackets".into());
        }
        return Ok(iri(kind, "type of a literal")?.1);
    }
    match rest.strip_prefix('@') {
        Some(language) => {
            let end = language
                .find([' ', '\t', '.', '<'])
                .unwrap_or(language.len());
            Ok(&language[end..])
        }
        None => Ok(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{import, import_with, named_arcs, problem};
    use super::recognise;
    use crate::import::ImportOptions;
    use crate::import::recognise::{First, Verdict};

    const TEXT: &str = "# a comment\n\
        <http://x/a> <http://x/knows> <http://x/b> .\n\
        <http://x/a>\t<http://x/name> \"A \\\"quoted\\\" <name>\"@en-GB .\n\
        <http://x/b><http://x/age>\"5\"^^<http://x/int>.\n\
        \n  _:b.0 <http://x/knows> _:b1. # why\n\
        <http://x/b> <http://x/likes> <http://x/caf\\u00E9> <http://x/graph> .\n\
        <http://x/b> <http://x/likes> _:b1 _:graph .\r\n";

    fn names(arcs: &[(&str, &str)]) -> Vec<(String, String)> {
        let arcs = arcs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned()));
        arcs.collect()
    }

    #[test]
    fn statements_about_nodes_are_arcs() {
        let graph = import("g.nt", TEXT).unwrap();
        let expected = [
            ("_:b.0", "_:b1"),
            ("http://x/a", "http://x/b"),
            ("http://x/b", "_:b1"),
            ("http://x/b", "http://x/café"),
        ];
        assert_eq!(named_arcs(&graph), names(&expected));
        assert_eq!(graph.num_nodes(), 5);
    }

    #[test]
    fn predicates_choose() {
        for chosen in ["http://x/likes", "<http://x/likes>"] {
            let options = ImportOptions {
                predicates: vec![chosen.to_owned()],
                ..Default::default()
            };
            let graph = import_with("g.nt", TEXT.as_bytes(), &options).unwrap();
            let expected = [("http://x/b", "_:b1"), ("http://x/b", "http://x/café")];
            assert_eq!(named_arcs(&graph), names(&expected));
            assert_eq!(graph.num_nodes(), 3);
        }
    }

    #[test]
    fn first_lines_show_statements() {
        let is_it = |text: &str| {
            let first = First::new("x".as_ref(), text.as_bytes(), true);
            matches!(recognise(&first), Verdict::Is(_))
        };
        assert!(is_it(TEXT));
        assert!(is_it("_:a <b> \"c\" ."));
        for other in [
            "",
            "# x\n",
            "<graphml>\n",
            "<a> <b> <c>\n",
            "a b c .\n",
            "@prefix x: <y> .\n",
        ] {
            assert!(!is_it(other), "{other}");
        }
    }

    #[test]
    fn what_is_no_statement_is_refused_with_its_line() {
        let first = "<a> <b> <c> .\n";
        for (text, words) in [
            ("<a> <b> <c>", "no '.' at the end"),
            ("<a> <b> .", "the object is neither"),
            ("<a> _:b <c> .", "the predicate is no IRI"),
            ("\"a\" <b> <c> .", "the subject is a literal"),
            ("<a> <b> <c> \"d\" .", "no '.' at the end"),
            ("<a> <b> <c> . <d>", "'<d>' after the end"),
            ("<a> <b> <c .", "the IRI of the object has no '>'"),
            ("<a> <b> <c d> .", "the IRI 'c d' of the object has a blank"),
            ("<a> <b> <\\u00> .", "an escape in '\\u00' is none"),
            ("<a> <b> <\\x> .", "an escape in"),
            ("<a> <b> \"c .", "a literal has no quotation mark"),
            ("<a> <b> \"c\\", "a literal has no quotation mark"),
            ("<a> <b> \"c\"^^d .", "the type of a literal"),
            (
                "<<(<a> <b> <c>)>> <b> <c> .",
                "the subject is a quoted triple",
            ),
            ("<> <b> <c> .", "a name is empty"),
        ] {
            let text = format!("{first}{text}\n");
            let problem = problem("g.nt", &text, &ImportOptions::default());
            assert!(
                problem.contains("g.nt, line 2: ") && problem.contains(words),
                "{problem}"
            );
            let options = ImportOptions {
                skip_bad: 1,
                ..Default::default()
            };
            assert_eq!(
                named_arcs(&import_with("g.nt", text.as_bytes(), &options).unwrap()).len(),
                1
            );
        }
    }
}
