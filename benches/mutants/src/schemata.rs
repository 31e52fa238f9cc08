//! All mutants of a file at once: each operator becomes a choice between itself and its mutant. Text is inserted, never printed
//! anew, so that sources keep their form. Operands are evaluated once and in their order. Constants, patterns, types, macros and tests
//! are left alone.

use proc_macro2::Span;
use std::fmt::Write;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, ReturnType, Signature, Type, UnOp};

/// A mutant: where it is in the source, and what it does.
pub struct Mutant {
    pub id: u32,
    pub line: usize,
    pub change: String,
}

struct Edit {
    at: usize,
    until: usize,
    text: String,
    id: u32,
}

/// Mutants of one file, and the texts that make them.
pub struct File {
    source: String,
    pub mutants: Vec<Mutant>,
    /// Insertions at one place keep their order.
    edits: Vec<Edit>,
    next: u32,
}

impl File {
    pub fn new(source: String, first: u32) -> syn::Result<File> {
        let tree = syn::parse_file(&source)?;
        let mut file = File {
            source,
            mutants: Vec::new(),
            edits: Vec::new(),
            next: first,
        };
        file.visit_file(&tree);
        file.edits.sort_by_key(|edit| edit.at);
        Ok(file)
    }

    /// The text with every mutant that `keep` wants, and which bytes belong to which.
    pub fn text(&self, keep: impl Fn(u32) -> bool) -> (String, Vec<(u32, usize, usize)>) {
        let (mut text, mut ranges, mut position) =
            (String::new(), Vec::<(u32, usize, usize)>::new(), 0);
        for edit in self.edits.iter().filter(|edit| keep(edit.id)) {
            text.push_str(&self.source[position..edit.at.max(position)]);
            position = edit.until.max(position);
            let begin = text.len();
            text.push_str(&edit.text);
            match ranges.iter_mut().find(|range| range.0 == edit.id) {
                Some(range) => range.2 = text.len(),
                None => ranges.push((edit.id, begin, text.len())),
            }
        }
        text.push_str(&self.source[position..]);
        (text, ranges)
    }

    fn mutant(&mut self, span: Span, change: String) -> u32 {
        let id = self.next;
        self.next += 1;
        self.mutants.push(Mutant {
            id,
            line: span.start().line,
            change,
        });
        id
    }

    fn edit(&mut self, id: u32, at: usize, until: usize, text: impl Into<String>) {
        self.edits.push(Edit {
            at,
            until,
            text: text.into(),
            id,
        });
    }

    fn source_of(&self, span: Span) -> String {
        self.source[span.byte_range()].to_owned()
    }

    /// Functions of plain results may return at once.
    fn returns(&mut self, attributes: &[Attribute], signature: &Signature, block: &Block) {
        if is_test(attributes) || signature.constness.is_some() {
            return;
        }
        let result = match &signature.output {
            ReturnType::Default => "()".to_owned(),
            ReturnType::Type(_, kind) => {
                self.source_of(kind.span()).replace(char::is_whitespace, "")
            }
        };
        let values: &[&str] = match result.as_str() {
            "bool" => &["false", "true"],
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" | "i128" => &["0", "1"],
            "f64" | "f32" => &["0.0", "1.0"],
            "()" => &["()"],
            "Result<()>" | "io::Result<()>" => &["Ok(())"],
            other if other.starts_with("Option<") => &["None"],
            other if other.starts_with("Vec<") => &["Vec::new()"],
            _ => &[],
        };
        let begin = block.brace_token.span.open().byte_range().end;
        for value in values.iter().filter(|_| !block.stmts.is_empty()) {
            let id = self.mutant(
                signature.span(),
                format!("{} returns {value}", signature.ident),
            );
            self.edit(
                id,
                begin,
                begin,
                format!(" if crate::mutants::is({id}) {{ return {value}; }}"),
            );
        }
        visit::visit_block(self, block);
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let (left, right, whole) = (
            binary.left.span().byte_range(),
            binary.right.span().byte_range(),
            binary.span().byte_range(),
        );
        let operator = self.source_of(binary.op.span());
        let Some(other) = mutated(&operator) else {
            return visit::visit_expr_binary(self, binary);
        };
        let logical = matches!(binary.op, BinOp::And(_) | BinOp::Or(_));
        if logical && (has_let(&binary.left) || has_let(&binary.right)) {
            return visit::visit_expr_binary(self, binary);
        }
        let assigns = operator.ends_with('=')
            && other.ends_with('=')
            && !matches!(operator.as_str(), "==" | "!=" | "<=" | ">=");
        let compares = matches!(operator.as_str(), "==" | "!=" | "<=" | ">=" | "<" | ">");
        let id = self.mutant(binary.op.span(), format!("{operator} becomes {other}"));
        let choice = format!("if crate::mutants::is({id})");
        if assigns {
            let place = self.source_of(binary.left.span());
            self.edit(id, whole.start, right.start, "match (");
            self.visit_expr(&binary.right);
            let text = format!(
                ") {{ __r => {choice} {{ {place} {other} __r }} else {{ {place} {operator} __r }} }}"
            );
            return self.edit(id, whole.end, whole.end, text);
        }
        let (open, between, close) = if logical {
            let same = if operator == "&&" { "!=" } else { "==" };
            let open = format!(") {{ __l => if __l {same} crate::mutants::is({id}) {{ ");
            ("(match (", open, " } else { __l } })".to_owned())
        } else {
            let star = if compares { "*" } else { "" };
            let arms = format!(
                "{{ {star}__l {other} {star}__r }} else {{ {star}__l {operator} {star}__r }}"
            );
            let [open, between, end] = if compares {
                ["(match (&(", "), &(", "))"]
            } else {
                ["(match (", ", ", ")"]
            };
            (
                open,
                between.to_owned(),
                format!("{end} {{ (__l, __r) => {choice} {arms} }})"),
            )
        };
        self.edit(id, whole.start, whole.start, open);
        self.visit_expr(&binary.left);
        self.edit(id, left.end, right.start, between);
        self.visit_expr(&binary.right);
        self.edit(id, whole.end, whole.end, close);
    }

    fn unary(&mut self, unary: &syn::ExprUnary) {
        let operator = match unary.op {
            UnOp::Not(_) => "!",
            UnOp::Neg(_) => "-",
            _ => return visit::visit_expr_unary(self, unary),
        };
        let (whole, inner) = (unary.span().byte_range(), unary.expr.span().byte_range());
        let id = self.mutant(unary.op.span(), format!("{operator} is left out"));
        self.edit(id, whole.start, inner.start, "(match (");
        self.visit_expr(&unary.expr);
        let text = format!(
            ") {{ __v => if crate::mutants::is({id}) {{ __v }} else {{ {operator}__v }} }})"
        );
        self.edit(id, whole.end, whole.end, text);
    }
}

impl<'a> Visit<'a> for File {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.returns(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.returns(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.returns(&item.attrs, &item.sig, block);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Repeat(repeat) => self.visit_expr(&repeat.expr),
            Expr::Const(_) | Expr::Macro(_) => {}
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_pat(&mut self, _: &'a syn::Pat) {}
    fn visit_type(&mut self, _: &'a Type) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_attribute(&mut self, _: &'a Attribute) {}
    fn visit_variant(&mut self, _: &'a syn::Variant) {}
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => attribute.path().is_ident("test"),
    })
}

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            has_let(&binary.left) || has_let(&binary.right)
        }
        _ => false,
    }
}

fn mutated(operator: &str) -> Option<&'static str> {
    const PAIRS: [(&str, &str); 23] = [
        ("+", "-"),
        ("-", "+"),
        ("*", "/"),
        ("/", "*"),
        ("%", "/"),
        ("<<", ">>"),
        (">>", "<<"),
        ("&", "|"),
        ("|", "&"),
        ("^", "&"),
        ("<", "<="),
        ("<=", "<"),
        (">", ">="),
        (">=", ">"),
        ("==", "!="),
        ("!=", "=="),
        ("&&", "||"),
        ("||", "&&"),
        ("+=", "-="),
        ("-=", "+="),
        ("*=", "/="),
        ("/=", "*="),
        ("|=", "&="),
    ];
    PAIRS
        .iter()
        .find(|pair| pair.0 == operator)
        .map(|pair| pair.1)
}

/// The module that says which mutant is chosen: the one whose number is in the environment. Otherwise it may note which are reached.
pub fn switch(first: u32, count: usize) -> String {
    let mut text = String::from("//! Which mutant is chosen.\n#![allow(missing_docs)]\n");
    let _ = write!(
        text,
        "static REACHED: [AtomicBool; {count}] = [const {{ AtomicBool::new(false) }}; {count}];"
    );
    let _ = write!(text, "const FIRST: u32 = {first};");
    text + r#"
use std::{env, fs, io::Write, sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed}};
const UNKNOWN: u32 = u32::MAX;
const NOTES: u32 = u32::MAX - 1;
static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);

#[inline]
pub(crate) fn is(id: u32) -> bool {
    let chosen = CHOSEN.load(Relaxed);
    chosen == id || (chosen >= NOTES && slow(id))
}

#[cold]
#[inline(never)]
fn slow(id: u32) -> bool {
    if CHOSEN.load(Relaxed) == UNKNOWN {
        let none = if env::var_os("MUTANTS_REACHED").is_some() { NOTES } else { 0 };
        CHOSEN.store(env::var("MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(none), Relaxed);
    }
    let reached = &REACHED[(id - FIRST) as usize];
    if CHOSEN.load(Relaxed) == NOTES && !reached.load(Relaxed) && !reached.swap(true, Relaxed) {
        let file = env::var_os("MUTANTS_REACHED").and_then(|path| fs::OpenOptions::new().append(true).create(true).open(path).ok());
        let _ = file.map(|mut file| file.write_all(format!("{id}\n").as_bytes()));
    }
    CHOSEN.load(Relaxed) == id
}
"#
}
