//! Finds what each mutant is about, and writes the switch around it.

use std::collections::HashMap;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Expr, ExprBinary, ExprStruct, ExprUnary, Pat, UnOp};

use crate::Mutant;
use crate::edits::Edits;

/// Writes all mutants of a file.
pub fn write(text: &str, mutants: &[Mutant], edits: &mut Edits) -> syn::Result<()> {
    let mut by_place: HashMap<usize, Vec<&Mutant>> = HashMap::new();
    for mutant in mutants {
        by_place.entry(mutant.from).or_default().push(mutant);
    }
    // Spans of all files lie in one map, so that they count from the first octet of this one.
    let file = syn::parse_file(text)?;
    let mut writer = Writer { text, by_place, edits, constant: 0 };
    writer.visit_file(&file);
    Ok(())
}

struct Writer<'a> {
    text: &'a str,
    by_place: HashMap<usize, Vec<&'a Mutant>>,
    edits: &'a mut Edits,
    /// How many constant contexts this is in, which cannot ask the switch.
    constant: usize,
}

fn on(mutant: &Mutant) -> String {
    format!("crate::mutant::on({})", mutant.number)
}

fn plain(text: &str) -> Vec<(String, Vec<u32>)> {
    vec![(text.into(), vec![])]
}

impl<'a> Writer<'a> {
    fn range(&self, span: Span) -> (usize, usize) {
        let octet = |place: proc_macro2::LineColumn| {
            let start = match place.line {
                1 => 0,
                line => self.text.match_indices('\n').nth(line - 2).map_or(0, |(at, _)| at + 1),
            };
            let rest = &self.text[start..];
            start + rest.char_indices().nth(place.column).map_or(rest.len(), |(at, _)| at)
        };
        (octet(span.start()), octet(span.end()))
    }

    fn at(&self, from: usize, genre: &str) -> Vec<&'a Mutant> {
        if self.constant > 0 {
            return Vec::new();
        }
        self.by_place.get(&from).into_iter().flatten().copied().filter(|mutant| mutant.genre == genre).collect()
    }

    fn within(&mut self, constant: bool, visit: impl FnOnce(&mut Self)) {
        self.constant += usize::from(constant);
        visit(self);
        self.constant -= usize::from(constant);
    }

    fn body(&mut self, block: &syn::Block) {
        let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) else { return };
        let (from, _) = self.range(first.span());
        let (_, to) = self.range(last.span());
        let text = |mutant: &&Mutant| {
            (format!("if {} {{ return {}; }} ", on(mutant), mutant.replacement), vec![mutant.number])
        };
        let text: Vec<_> = self.at(from, "FnValue").iter().map(text).collect();
        if !text.is_empty() {
            self.edits.blame(from, to, text.iter().flat_map(|(_, mutants)| mutants.clone()).collect());
            let wrap = self.edits.wrap();
            // Longer than any expression that begins there.
            self.edits.before(wrap, from, to - from + 1, text);
        }
    }

    /// `(before LEFT between RIGHT after)`
    fn around(&mut self, expr: &ExprBinary, texts: [Vec<(String, Vec<u32>)>; 3]) {
        let (from, to) = self.range(expr.span());
        let (operator, end) = self.range(expr.op.span());
        let [before, between, after] = texts;
        let wrap = self.edits.wrap();
        self.edits.before(wrap, from, to - from, before);
        self.edits.instead(wrap, operator, end - operator, between);
        self.edits.after(wrap, to, to - from, after);
    }

    /// Returns whether the left operand is still where it was.
    fn binary(&mut self, expr: &ExprBinary) -> bool {
        let (operator, end) = self.range(expr.op.span());
        let mutants = self.at(operator, "BinaryOperator");
        if mutants.is_empty() {
            return true;
        }
        let old = &self.text[operator..end];
        match expr.op {
            BinOp::And(_) | BinOp::Or(_) => {
                // The other of the two is all that can be asked without a second copy of what stands on the right.
                let other = if matches!(expr.op, BinOp::And(_)) { ("||", "!=") } else { ("&&", "==") };
                let Some(mutant) = mutants.iter().find(|mutant| mutant.replacement == other.0) else { return true };
                if has_let(&expr.left) || has_let(&expr.right) {
                    return true;
                }
                let between = format!("); if __left {} {} {{ ", other.1, on(mutant));
                let texts = [
                    plain("({ let __left: bool = ("),
                    vec![(between, vec![mutant.number])],
                    plain(" } else { __left } })"),
                ];
                self.around(expr, texts);
            }
            BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_) => {
                let (from, to) = self.range(expr.left.span());
                let place = &self.text[from..to];
                let (right, _) = self.range(expr.right.span());
                let (whole, last) = self.range(expr.span());
                let mut after = plain("); ");
                for mutant in &mutants {
                    let new = &mutant.replacement;
                    after.push((format!("if {} {{ {place} {new} __right }} else ", on(mutant)), vec![mutant.number]));
                }
                after.push((format!("{{ {place} {old} __right }} }})"), vec![]));
                let wrap = self.edits.wrap();
                self.edits.before(wrap, whole, last - whole, plain("({ let __right = ("));
                self.edits.instead(wrap, from, right - from, plain(""));
                self.edits.after(wrap, last, last - whole, after);
                // What stands on the left is copied as it was.
                return false;
            }
            _ => {
                let compares = matches!(
                    expr.op,
                    BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
                );
                let reference = if compares { "&" } else { "" };
                let mut after = plain(")) { (__left, __right) => ");
                for mutant in &mutants {
                    let new = &mutant.replacement;
                    after.push((format!("if {} {{ __left {new} __right }} else ", on(mutant)), vec![mutant.number]));
                }
                after.push((format!("{{ __left {old} __right }} }})"), vec![]));
                let texts = [plain(&format!("(match ({reference}(")), plain(&format!("), {reference}(")), after];
                self.around(expr, texts);
            }
        }
        true
    }

    fn unary(&mut self, expr: &ExprUnary) {
        let (from, to) = self.range(expr.span());
        let (operator, end) = self.range(expr.op.span());
        let old = match expr.op {
            UnOp::Not(_) => "!",
            UnOp::Neg(_) => "-",
            _ => return,
        };
        let Some(&mutant) = self.at(from, "UnaryOperator").first() else { return };
        let wrap = self.edits.wrap();
        self.edits.before(wrap, from, to - from, plain("(match ("));
        self.edits.instead(wrap, operator, end - operator, plain(""));
        let after = format!(") {{ __value => if {} {{ __value }} else {{ {old}__value }} }})", on(mutant));
        self.edits.after(wrap, to, to - from, vec![(after, vec![mutant.number])]);
    }

    fn arm(&mut self, arm: &Arm) {
        let (from, _) = self.range(arm.span());
        let deleted = self.at(from, "MatchArm").first().copied().filter(|_| !catches_all(&arm.pat));
        let wrap = self.edits.wrap();
        let Some((_, guard)) = &arm.guard else {
            if let Some(mutant) = deleted {
                let (_, end) = self.range(arm.pat.span());
                self.edits.after(
                    wrap,
                    end,
                    usize::MAX / 4,
                    vec![(format!(" if !{}", on(mutant)), vec![mutant.number])],
                );
            }
            return;
        };
        let (from, to) = self.range(guard.span());
        let guards = self.at(from, "MatchArmGuard");
        if has_let(guard) || deleted.is_none() && guards.is_empty() {
            return;
        }
        let (mut before, mut end) = (Vec::new(), String::from(")"));
        if let Some(mutant) = deleted {
            before.push((format!("!{} && ", on(mutant)), vec![mutant.number]));
        }
        before.push((String::from("("), vec![]));
        for mutant in guards {
            let text = match &mutant.replacement[..] {
                "true" => format!("{} || ", on(mutant)),
                _ => format!("!{} && (", on(mutant)),
            };
            if mutant.replacement != "true" {
                end.push(')');
            }
            before.push((text, vec![mutant.number]));
        }
        before.push((String::from("("), vec![]));
        end.push(')');
        self.edits.before(wrap, from, usize::MAX / 4, before);
        self.edits.after(wrap, to, usize::MAX / 4, plain(&end));
    }

    fn fields(&mut self, expr: &ExprStruct) {
        let Some(base) = &expr.rest else { return };
        let (from, to) = self.range(base.span());
        let base = &self.text[from..to];
        for field in &expr.fields {
            let (from, to) = self.range(field.span());
            let Some(&mutant) = self.at(from, "StructField").first() else { continue };
            let name = match &field.member {
                syn::Member::Named(name) => name.to_string(),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            let wrap = self.edits.wrap();
            let (value, end) = match field.colon_token {
                Some(_) => self.range(field.expr.span()),
                None => (from, to),
            };
            let colon = if field.colon_token.is_some() { String::new() } else { format!("{name}: ") };
            let text = format!("{colon}if {} {{ ({base}).{name} }} else {{ ", on(mutant));
            self.edits.before(wrap, value, usize::MAX / 4, vec![(text, vec![mutant.number])]);
            self.edits.after(wrap, end, usize::MAX / 4, plain(" }"));
        }
    }
}

/// Whether a pattern matches everything, by its looks: then the other arms need it.
fn catches_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => {
            ident.subpat.is_none() && ident.ident.to_string().starts_with(|first: char| first.is_ascii_lowercase())
        }
        Pat::Tuple(tuple) => tuple.elems.iter().all(catches_all),
        _ => false,
    }
}

/// Whether a condition binds names, as `let` does between `&&`.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Writer<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.within(item.sig.constness.is_some(), |writer| {
            writer.body(&item.block);
            visit::visit_item_fn(writer, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.within(item.sig.constness.is_some(), |writer| {
            writer.body(&item.block);
            visit::visit_impl_item_fn(writer, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.within(item.sig.constness.is_some(), |writer| {
            if let Some(block) = &item.default {
                writer.body(block);
            }
            visit::visit_trait_item_fn(writer, item);
        });
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within(true, |writer| visit::visit_item_const(writer, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.within(true, |writer| visit::visit_item_static(writer, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.within(true, |writer| visit::visit_impl_item_const(writer, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.within(true, |writer| visit::visit_trait_item_const(writer, item));
    }

    fn visit_expr_const(&mut self, item: &'ast syn::ExprConst) {
        self.within(true, |writer| visit::visit_expr_const(writer, item));
    }

    fn visit_type_array(&mut self, item: &'ast syn::TypeArray) {
        self.within(true, |writer| visit::visit_type_array(writer, item));
    }

    fn visit_variant(&mut self, item: &'ast syn::Variant) {
        self.within(true, |writer| visit::visit_variant(writer, item));
    }

    fn visit_expr_repeat(&mut self, item: &'ast syn::ExprRepeat) {
        self.visit_expr(&item.expr);
        self.within(true, |writer| writer.visit_expr(&item.len));
    }

    fn visit_expr_binary(&mut self, expr: &'ast ExprBinary) {
        if self.binary(expr) {
            self.visit_expr(&expr.left);
        }
        self.visit_expr(&expr.right);
    }

    fn visit_expr_unary(&mut self, expr: &'ast ExprUnary) {
        self.unary(expr);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        self.arm(arm);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_match(&mut self, expr: &'ast syn::ExprMatch) {
        let (from, to) = self.range(expr.span());
        let deleted = |arm: &Arm| self.at(self.range(arm.span()).0, "MatchArm");
        let arms = expr.arms.iter().filter(|arm| !catches_all(&arm.pat));
        let deleted: Vec<u32> = arms.flat_map(deleted).map(|mutant| mutant.number).collect();
        if !deleted.is_empty() {
            self.edits.blame(from, to, deleted);
        }
        visit::visit_expr_match(self, expr);
    }

    fn visit_expr_struct(&mut self, expr: &'ast ExprStruct) {
        self.fields(expr);
        visit::visit_expr_struct(self, expr);
    }
}
