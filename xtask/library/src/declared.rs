//! What the results of the libraries are made of, as their sources declare it: each field with its type and description.
//!
//! A struct that derives `Serialize` is its own declaration. One that is serialized by hand declares what is written in
//! `fields!` (`crates/nestnet-graph/src/json.rs`), where the compiler holds each declared type to its value; what is no
//! struct declares its forms in `written_as!`. Sources are read and not compiled, so that no build pays for it. A field
//! without a description is an error, and so is a type whose form is not known.

use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Expr, Fields, GenericArgument, Ident, Item, ItemEnum, ItemImpl, ItemStruct, LitStr,
    Macro, Member, PathArguments, Token, Type, UseTree,
};

/// The form of a value in JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Integer,
    /// An integer that is the id of a node.
    Node,
    Number,
    Boolean,
    Text,
    Array(Box<Shape>),
    Tuple(Vec<Shape>),
    /// An object whose keys are data: texts or integers.
    Map(Box<Shape>, Box<Shape>),
    /// The value, or `null`.
    Nullable(Box<Shape>),
    /// An object, by its name among the objects.
    Object(String),
    AnyOf(Vec<Shape>),
}

impl Shape {
    fn or_null(self) -> Self {
        match self {
            Shape::Nullable(_) => self,
            shape => Shape::Nullable(Box::new(shape)),
        }
    }
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub key: String,
    pub shape: Shape,
    pub about: String,
    /// Whether every such object has it.
    pub required: bool,
}

/// An object of JSON.
#[derive(Clone, Debug)]
pub struct Object {
    /// What its struct is, where it is written by one alone.
    pub about: Option<String>,
    pub fields: Vec<Field>,
}

/// A source file.
struct Source {
    /// The crate, by its name in Rust.
    package: String,
    path: PathBuf,
    /// What it imports, by the name that it has here.
    uses: BTreeMap<String, Vec<String>>,
}

/// A type where it is defined.
enum Kind {
    Struct(ItemStruct),
    Enum(ItemEnum),
    Alias(syn::ItemType),
}

struct Definition {
    source: usize,
    name: String,
    kind: Kind,
    /// Its `fields!`, where it is serialized by hand.
    by_hand: Option<Declarations>,
    /// Its function `fields`, which puts fields into a struct that was begun, or writes the whole.
    method: Vec<Declaration>,
    /// Its forms, as `written_as!` says them.
    forms: Vec<Type>,
    /// Whether it is written as what it prints.
    is_text: bool,
}

/// A row of `fields!`.
#[derive(Clone)]
enum Row {
    Field {
        about: Option<String>,
        key: String,
        optional: bool,
        kind: Option<Type>,
        value: Box<Expr>,
    },
    /// All that another type puts there.
    All(Type),
}

/// A call of `fields!`.
#[derive(Clone)]
struct Declaration {
    /// The name of the struct; none where it was begun before.
    name: Option<String>,
    rows: Vec<Row>,
}

impl Parse for Declaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut name = None;
        if input.parse::<Option<Token![in]>>()?.is_some() {
            input.parse::<Ident>()?;
        } else {
            input.parse::<Expr>()?;
            input.parse::<Token![,]>()?;
            name = Some(input.parse::<LitStr>()?.value());
        }
        let mut rows = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.parse::<Option<Token![..]>>()?.is_some() {
                input.parse::<Ident>()?;
                input.parse::<Token![:]>()?;
                rows.push(Row::All(input.parse()?));
                continue;
            }
            let about = about(&input.call(Attribute::parse_outer)?);
            let optional = input.peek(syn::token::Bracket);
            let key = if optional {
                let key;
                syn::bracketed!(key in input);
                key.call(Ident::parse_any)?
            } else {
                input.call(Ident::parse_any)?
            };
            let colon = input.parse::<Option<Token![:]>>()?;
            let kind = colon.map(|_| input.parse()).transpose()?;
            input.parse::<Token![=]>()?;
            let (key, value) = (key.to_string(), input.parse()?);
            rows.push(Row::Field { about, key, optional, kind, value: Box::new(value) });
        }
        Ok(Declaration { name, rows })
    }
}

/// What `written_as!` says: the forms of a type.
struct Forms(Type, Vec<Type>);

impl Parse for Forms {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind = input.parse()?;
        input.parse::<Token![:]>()?;
        let forms = input.parse_terminated(Type::parse, Token![,])?;
        Ok(Forms(kind, forms.into_iter().collect()))
    }
}

/// All calls of `fields!` in a block.
#[derive(Clone, Default)]
struct Declarations {
    calls: Vec<Declaration>,
    /// The name of a struct that is begun before.
    begun: Option<String>,
    error: Option<syn::Error>,
}

impl VisitMut for Declarations {
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if last(&call.path) == "fields" {
            match call.parse_body() {
                Ok(found) => self.calls.push(found),
                Err(error) => self.error = Some(error),
            }
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        if call.method == "serialize_struct"
            && let Some(Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(name), .. })) =
                call.args.first()
        {
            self.begun = Some(name.value());
        }
        syn::visit_mut::visit_expr_method_call_mut(self, call);
    }
}

impl Declarations {
    fn of(block: &syn::Block) -> Result<Self> {
        let mut found = Declarations::default();
        found.visit_block_mut(&mut block.clone());
        match found.error.take() {
            Some(error) => Err(error.into()),
            None => Ok(found),
        }
    }
}

/// What the parameters of a definition mean.
type Arguments = BTreeMap<String, Place>;

/// A type where it is written, with what its parameters mean there.
#[derive(Clone)]
struct Place {
    kind: Type,
    source: usize,
    arguments: Arguments,
}

/// What all sources declare.
pub struct Declared {
    sources: Vec<Source>,
    definitions: Vec<Definition>,
    by_name: BTreeMap<String, Vec<usize>>,
    /// The objects that were asked for, by name.
    pub objects: BTreeMap<String, Object>,
}

impl Declared {
    /// Reads all crates below `folder`.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut declared = Declared {
            sources: Vec::new(),
            definitions: Vec::new(),
            by_name: BTreeMap::new(),
            objects: BTreeMap::new(),
        };
        let mut packages: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
        packages.sort();
        for package in packages {
            let name = package.file_name().unwrap_or_default().to_string_lossy().replace('-', "_");
            for path in rust_files(&package.join("src"))? {
                let text = fs::read_to_string(&path)?;
                let file = syn::parse_file(&text).with_context(|| path.display().to_string())?;
                let source = declared.sources.len();
                declared.sources.push(Source {
                    package: name.clone(),
                    path: path.clone(),
                    uses: BTreeMap::new(),
                });
                declared.define(source, &file.items);
                let read = declared.attach(source, &file.items);
                read.with_context(|| path.display().to_string())?;
            }
        }
        Ok(declared)
    }

    /// The types of a file.
    fn define(&mut self, source: usize, items: &[Item]) {
        for item in items {
            let (name, kind) = match item {
                Item::Struct(item) => (&item.ident, Kind::Struct(item.clone())),
                Item::Enum(item) => (&item.ident, Kind::Enum(item.clone())),
                Item::Type(item) => (&item.ident, Kind::Alias(item.clone())),
                Item::Use(item) => {
                    imports(&item.tree, &mut Vec::new(), &mut self.sources[source].uses);
                    continue;
                }
                Item::Mod(item) if !is_test(&item.attrs) => {
                    let items = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.define(source, items);
                    continue;
                }
                _ => continue,
            };
            let name = name.to_string();
            self.by_name.entry(name.clone()).or_default().push(self.definitions.len());
            self.definitions.push(Definition {
                source,
                name,
                kind,
                by_hand: None,
                method: Vec::new(),
                forms: Vec::new(),
                is_text: false,
            });
        }
    }

    /// How the types of a file are serialized, where they do not derive it.
    fn attach(&mut self, source: usize, items: &[Item]) -> Result<()> {
        for item in items {
            match item {
                Item::Impl(item) if !is_test(&item.attrs) => self.attach_impl(source, item)?,
                Item::Macro(item) if last(&item.mac.path) == "serialize_as_text" => {
                    let kinds = item.mac.parse_body_with(
                        syn::punctuated::Punctuated::<Type, Token![,]>::parse_terminated,
                    )?;
                    for kind in &kinds {
                        let index = self.of_type(source, kind)?;
                        self.definitions[index].is_text = true;
                    }
                }
                Item::Macro(item) if last(&item.mac.path) == "written_as" => {
                    let Forms(kind, forms) = item.mac.parse_body()?;
                    let index = self.of_type(source, &kind)?;
                    self.definitions[index].forms = forms;
                }
                Item::Mod(item) if !is_test(&item.attrs) => {
                    let items = item.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.attach(source, items)?;
                }
                _ => (),
            }
        }
        Ok(())
    }

    fn attach_impl(&mut self, source: usize, item: &ItemImpl) -> Result<()> {
        let of_trait = item.trait_.as_ref().map(|(_, path, _)| last(path));
        let methods = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method),
            _ => None,
        });
        for method in methods {
            match (of_trait.as_deref(), method.sig.ident.to_string().as_str()) {
                (Some("Serialize"), "serialize") => {
                    let found = Declarations::of(&method.block)?;
                    let index = self.of_type(source, &item.self_ty)?;
                    self.definitions[index].by_hand = Some(found);
                }
                (None, "fields") => {
                    let found = Declarations::of(&method.block)?;
                    if !found.calls.is_empty() {
                        let index = self.of_type(source, &item.self_ty)?;
                        self.definitions[index].method = found.calls;
                    }
                }
                _ => (),
            }
        }
        Ok(())
    }

    /// The definition that a type names.
    fn of_type(&self, source: usize, kind: &Type) -> Result<usize> {
        let Type::Path(path) = kind else { bail!("not the name of a type") };
        self.find(source, &path.path)
    }

    /// The definition that a path means in a file.
    fn find(&self, source: usize, path: &syn::Path) -> Result<usize> {
        let here = &self.sources[source];
        let mut whole: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(import) = here.uses.get(&whole[0]) {
            whole.splice(..1, import.iter().cloned());
        }
        // A crate may have another under a name of its own.
        let root = self
            .sources
            .iter()
            .find(|source| source.package == whole[0] && source.path.ends_with("src/lib.rs"));
        if let Some(import) = whole.get(1).and_then(|name| root?.uses.get(name))
            && import.len() == 1
        {
            whole.splice(..2, import.iter().cloned());
        }
        let name = whole.last().cloned().unwrap_or_default();
        let all = self.by_name.get(&name).map_or(&[][..], Vec::as_slice);
        let one_of = |mut found: Vec<usize>| {
            let only = found.pop();
            if found.is_empty() { only } else { None }
        };
        let those = |keep: &dyn Fn(&Definition) -> bool| {
            all.iter().copied().filter(|&at| keep(&self.definitions[at])).collect::<Vec<_>>()
        };
        if whole.len() == 1
            && let Some(found) = one_of(those(&|one| one.source == source))
        {
            return Ok(found);
        }
        let package = match whole[0].as_str() {
            "crate" | "self" | "super" => &here.package,
            other => other,
        };
        // The module of its name, as far as the path has it.
        let module = whole.len().checked_sub(2).map(|at| whole[at].as_str());
        let is_in = |one: &Definition| {
            let path = &self.sources[one.source].path;
            let mut parts = path.iter().rev().map(|part| part.to_string_lossy());
            let file = parts.next().unwrap_or_default();
            let folder = parts.next().unwrap_or_default();
            module.is_some_and(|module| file == format!("{module}.rs") || folder == module)
        };
        let of_package = |one: &Definition| self.sources[one.source].package == package;
        one_of(those(&|one| of_package(one) && is_in(one)))
            .or_else(|| one_of(those(&of_package)))
            .or_else(|| {
                // A name of the file's own folder, as `super::Name` is.
                let folder = here.path.parent();
                one_of(those(&|one| self.sources[one.source].path.parent() == folder))
            })
            .or_else(|| one_of(all.to_vec()))
            .with_context(|| {
                format!("{}: which `{}` is meant?", here.path.display(), whole.join("::"))
            })
    }

    /// The form of the type that `text` names in the file that ends with `path`.
    pub fn shape_of(&mut self, path: &str, text: &str) -> Result<Shape> {
        let source = self.sources.iter().position(|source| source.path.ends_with(path));
        let source = source.with_context(|| format!("there is no source {path}"))?;
        let kind = syn::parse_str(text)?;
        self.shape(&Place { kind, source, arguments: Arguments::new() })
            .with_context(|| format!("{text} of {path}"))
    }

    fn shape(&mut self, place: &Place) -> Result<Shape> {
        let of = |kind: &Type| Place { kind: kind.clone(), ..place.clone() };
        match &place.kind {
            Type::Reference(inner) => self.shape(&of(&inner.elem)),
            Type::Paren(inner) => self.shape(&of(&inner.elem)),
            Type::Group(inner) => self.shape(&of(&inner.elem)),
            Type::Slice(inner) => Ok(Shape::Array(Box::new(self.shape(&of(&inner.elem))?))),
            Type::Array(inner) => Ok(Shape::Array(Box::new(self.shape(&of(&inner.elem))?))),
            Type::Tuple(inner) => {
                let items: Result<Vec<Shape>> =
                    inner.elems.iter().map(|kind| self.shape(&of(kind))).collect();
                Ok(row_of(items?))
            }
            Type::Path(path) => self.named(place, &path.path),
            _ => bail!("a type without a form in JSON"),
        }
    }

    fn named(&mut self, place: &Place, path: &syn::Path) -> Result<Shape> {
        let name = last(path);
        if let Some(meant) = place.arguments.get(&name).filter(|_| path.segments.len() == 1) {
            return self.shape(&meant.clone());
        }
        let arguments: Vec<Place> =
            type_arguments(path).into_iter().map(|kind| Place { kind, ..place.clone() }).collect();
        let argument = |at: usize| arguments.get(at).with_context(|| format!("{name} of what?"));
        Ok(match name.as_str() {
            "bool" => Shape::Boolean,
            "f32" | "f64" => Shape::Number,
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i64" => Shape::Integer,
            "Integer" => Shape::Integer,
            "str" | "String" | "PathBuf" | "Path" => Shape::Text,
            "Option" => self.shape(argument(0)?)?.or_null(),
            "Vec" => Shape::Array(Box::new(self.shape(argument(0)?)?)),
            "Arc" | "Box" => self.shape(argument(0)?)?,
            "BTreeMap" => {
                let key = Box::new(self.shape(argument(0)?)?);
                Shape::Map(key, Box::new(self.shape(argument(1)?)?))
            }
            "Node" => Shape::Node,
            // An answer, or why there is none.
            "Found" => {
                let missing = self.shape_of("nestnet-graph/src/json.rs", "Missing<String>")?;
                Shape::AnyOf(vec![self.shape(argument(0)?)?, missing])
            }
            _ => {
                let index = self.find(place.source, path)?;
                self.defined(index, &arguments)?
            }
        })
    }

    /// The form of a defined type with these types for its parameters.
    fn defined(&mut self, index: usize, arguments: &[Place]) -> Result<Shape> {
        let shape = self.form(index, arguments);
        let Definition { name, source, .. } = &self.definitions[index];
        shape.with_context(|| format!("{name} of {}", self.sources[*source].path.display()))
    }

    fn form(&mut self, index: usize, arguments: &[Place]) -> Result<Shape> {
        let definition = &self.definitions[index];
        let source = definition.source;
        let here = Place {
            kind: syn::parse_str(&definition.name)?,
            source,
            arguments: parameters(&definition.kind).into_iter().zip(arguments.to_vec()).collect(),
        };
        if definition.is_text {
            return Ok(Shape::Text);
        }
        if definition.by_hand.is_some() || !definition.forms.is_empty() {
            return self.by_hand(index, &here);
        }
        match &definition.kind {
            Kind::Alias(alias) => {
                let kind = (*alias.ty).clone();
                self.shape(&Place { kind, ..here })
            }
            Kind::Struct(item) => {
                let item = item.clone();
                ensure!(derives(&item.attrs), "it is not serialized");
                self.of_struct(&item, &here)
            }
            Kind::Enum(item) => {
                let item = item.clone();
                ensure!(derives(&item.attrs), "it is not serialized");
                self.of_enum(&item, &here)
            }
        }
    }

    fn of_struct(&mut self, item: &ItemStruct, here: &Place) -> Result<Shape> {
        let serde = Serde::of(&item.attrs)?;
        let is_new = matches!(&item.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
        if serde.transparent || is_new {
            let field = item.fields.iter().next().context("a struct without a field")?;
            return self.shape(&Place { kind: field.ty.clone(), ..here.clone() });
        }
        let mut fields = Vec::new();
        for field in &item.fields {
            let serde = Serde::of(&field.attrs)?;
            if serde.skip {
                continue;
            }
            let key =
                field.ident.as_ref().context("a tuple of several fields")?.unraw().to_string();
            let place = Place { kind: field.ty.clone(), ..here.clone() };
            if serde.flatten {
                let Shape::Object(name) = self.shape(&place)? else {
                    bail!("`{key}` is no object")
                };
                fields.extend(self.objects[&name].fields.clone());
                continue;
            }
            let mut shape = self.of_field(&place, &serde)?;
            if serde.optional
                && let Shape::Nullable(inner) = shape
            {
                // An option of an option is `null` where the inner one has no value.
                let inner_is_option = type_arguments_of(&field.ty).first().is_some_and(is_option);
                shape = if inner_is_option { Shape::Nullable(inner) } else { *inner };
            }
            let about =
                about(&field.attrs).with_context(|| format!("`{key}` has no description"))?;
            let (key, required) = (serde.rename.unwrap_or(key), !serde.optional);
            fields.push(Field { key, shape, about, required });
        }
        let rust = item.ident.to_string();
        let name = serde.rename.unwrap_or_else(|| rust.clone());
        Ok(Shape::Object(self.object(name, &rust, here, about(&item.attrs), fields)?))
    }

    /// The form of a field of a struct.
    fn of_field(&mut self, place: &Place, serde: &Serde) -> Result<Shape> {
        match serde.with.as_deref() {
            None => self.shape(place),
            Some("integer") => Ok(Shape::Integer),
            Some("text" | "relation") => Ok(Shape::Text),
            // Digits where it is an integer, else a decimal number; none where it is neither.
            Some("number") => Ok(Shape::Number.or_null()),
            Some(other) => bail!("`{other}` writes a form that is not known"),
        }
    }

    fn of_enum(&mut self, item: &ItemEnum, here: &Place) -> Result<Shape> {
        let serde = Serde::of(&item.attrs)?;
        if serde.untagged {
            let mut forms = Vec::new();
            for variant in &item.variants {
                let kinds = variant.fields.iter().map(|field| field.ty.clone());
                let kinds: Result<Vec<Shape>> =
                    kinds.map(|kind| self.shape(&Place { kind, ..here.clone() })).collect();
                let mut kinds = kinds?;
                forms.push(if kinds.len() == 1 { kinds.remove(0) } else { row_of(kinds) });
            }
            return Ok(Shape::AnyOf(forms));
        }
        ensure!(
            item.variants.iter().all(|variant| variant.fields.is_empty()),
            "a variant with fields"
        );
        Ok(Shape::Text)
    }

    /// The forms of what is serialized by hand: its structs, and those that `written_as!` says.
    fn by_hand(&mut self, index: usize, here: &Place) -> Result<Shape> {
        let definition = &self.definitions[index];
        let rust = definition.name.clone();
        let Declarations { mut calls, begun, .. } = definition.by_hand.clone().unwrap_or_default();
        let forms = definition.forms.clone();
        if calls.is_empty() && forms.is_empty() {
            calls.clone_from(&definition.method);
        }
        ensure!(
            !calls.is_empty() || !forms.is_empty(),
            "it is serialized by hand, and neither `fields!` nor `written_as!` says as what"
        );
        let mut shapes = Vec::new();
        for kind in forms {
            shapes.push(self.shape(&Place { kind, ..here.clone() })?);
        }
        let about = match &self.definitions[index].kind {
            Kind::Struct(item) => about(&item.attrs),
            Kind::Enum(item) => about(&item.attrs),
            Kind::Alias(item) => about(&item.attrs),
        };
        // Calls for a struct that was begun are parts of one.
        if calls.iter().any(|call| call.name.is_none()) {
            let fields = self.rows_of(&calls, here)?;
            let name = begun.unwrap_or_else(|| rust.clone());
            shapes.push(Shape::Object(self.object(name, &rust, here, about, fields)?));
        } else {
            let is_only = calls.len() == 1;
            for call in calls {
                let fields = self.rows_of(std::slice::from_ref(&call), here)?;
                let about = about.clone().filter(|_| is_only && shapes.is_empty());
                let name = call.name.unwrap_or_default();
                shapes.push(Shape::Object(self.object(name, &rust, here, about, fields)?));
            }
        }
        Ok(if shapes.len() == 1 { shapes.remove(0) } else { Shape::AnyOf(shapes) })
    }

    fn rows_of(&mut self, calls: &[Declaration], here: &Place) -> Result<Vec<Field>> {
        let mut fields = Vec::new();
        for row in calls.iter().flat_map(|call| &call.rows) {
            match row {
                Row::All(kind) => {
                    let index = self.of_type(here.source, kind)?;
                    let Definition { method, source, .. } = &self.definitions[index];
                    let (method, source) = (method.clone(), *source);
                    let kind = syn::parse_str(&self.definitions[index].name)?;
                    let there = Place { kind, source, arguments: Arguments::new() };
                    fields.extend(self.rows_of(&method, &there)?);
                }
                Row::Field { about, key, optional, kind, value } => {
                    let field = self.row(key, *optional, (about, kind, value), here);
                    fields.push(field.with_context(|| format!("`{key}`"))?);
                }
            }
        }
        Ok(fields)
    }

    fn row(
        &mut self,
        key: &str,
        optional: bool,
        (about, kind, value): (&Option<String>, &Option<Type>, &Expr),
        here: &Place,
    ) -> Result<Field> {
        let (mut shape, about) = match kind {
            Some(kind) => {
                let about = about.clone().context("it is computed, and has no description")?;
                (self.shape(&Place { kind: kind.clone(), ..here.clone() })?, about)
            }
            None => {
                let (through, members) = members(value);
                let members = members.context("it is computed, and has no declared type")?;
                let (place, attributes) = self.member(here, &members)?;
                let text = || crate::declared::about(&attributes);
                let about = about.clone().or_else(text).context("it has no description")?;
                let shape = match through.as_deref() {
                    None => self.of_field(&place, &Serde::of(&attributes)?)?,
                    Some("Integer") => Shape::Integer,
                    Some("rounded") => Shape::Number,
                    Some(other) => bail!("`{other}` writes a form that is not known"),
                };
                let shape = match shape {
                    Shape::Nullable(inner) if optional => *inner,
                    shape => shape,
                };
                (shape, about)
            }
        };
        if let (true, Some(kind)) = (optional, kind)
            && !is_option(kind)
            && let Shape::Nullable(inner) = shape
        {
            shape = *inner;
        }
        Ok(Field { key: key.to_owned(), shape, about, required: !optional })
    }

    /// The field that `self.a.b` is, with its attributes.
    fn member(&self, here: &Place, members: &[String]) -> Result<(Place, Vec<Attribute>)> {
        let mut at = here.clone();
        let mut attributes = Vec::new();
        for name in members {
            let (index, arguments) = self.structure(&at)?;
            let definition = &self.definitions[index];
            let Kind::Struct(item) = &definition.kind else {
                bail!("`{}` is no struct", definition.name)
            };
            let field = item.fields.iter().enumerate().find(|(place, field)| match &field.ident {
                Some(ident) => ident == name,
                None => place.to_string() == *name,
            });
            let (_, field) =
                field.with_context(|| format!("{} has no `{name}`", definition.name))?;
            attributes = field.attrs.clone();
            at = Place { kind: field.ty.clone(), source: definition.source, arguments };
        }
        Ok((at, attributes))
    }

    /// The struct behind references and aliases, and what its parameters mean.
    fn structure(&self, place: &Place) -> Result<(usize, Arguments)> {
        let of = |kind: &Type| Place { kind: kind.clone(), ..place.clone() };
        match &place.kind {
            Type::Reference(inner) => self.structure(&of(&inner.elem)),
            Type::Path(path) => {
                let name = last(&path.path);
                if let Some(meant) = place.arguments.get(&name) {
                    return self.structure(meant);
                }
                let arguments = type_arguments(&path.path);
                if matches!(name.as_str(), "Arc" | "Box") {
                    return self.structure(&of(arguments.first().context("of what?")?));
                }
                let index = self.find(place.source, &path.path)?;
                let definition = &self.definitions[index];
                let arguments = arguments.iter().map(of);
                let arguments: Arguments =
                    parameters(&definition.kind).into_iter().zip(arguments).collect();
                // The parameters of the type that is described are known where it is named by itself.
                let arguments =
                    if arguments.is_empty() { place.arguments.clone() } else { arguments };
                match &definition.kind {
                    Kind::Alias(alias) => {
                        let kind = (*alias.ty).clone();
                        self.structure(&Place { kind, source: definition.source, arguments })
                    }
                    _ => Ok((index, arguments)),
                }
            }
            _ => bail!("not the name of a struct"),
        }
    }

    /// The name of an object: that of its struct in JSON, with that in Rust before it where another object has it.
    fn object(
        &mut self,
        name: String,
        rust: &str,
        here: &Place,
        about: Option<String>,
        fields: Vec<Field>,
    ) -> Result<String> {
        let mut keys = BTreeSet::new();
        if let Some(field) = fields.iter().find(|field| !keys.insert(field.key.clone())) {
            bail!("two fields are `{}`", field.key);
        }
        let path = &self.sources[here.source].path;
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let by_struct = if rust == name { name.clone() } else { format!("{rust}{name}") };
        for name in [name.clone(), by_struct, format!("{name}-{file}")] {
            match self.objects.get(&name) {
                Some(known) if known.fields == fields => return Ok(name),
                Some(_) => {}
                None => {
                    self.objects.insert(name.clone(), Object { about, fields });
                    return Ok(name);
                }
            }
        }
        Err(anyhow!("several objects are called `{name}`"))
    }
}

/// What attributes of serde say.
#[derive(Default)]
struct Serde {
    rename: Option<String>,
    with: Option<String>,
    skip: bool,
    optional: bool,
    flatten: bool,
    transparent: bool,
    untagged: bool,
}

impl Serde {
    fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut serde = Serde::default();
        for attribute in attributes.iter().filter(|one| one.path().is_ident("serde")) {
            attribute.parse_nested_meta(|meta| {
                let name = last(&meta.path);
                let text = match meta.input.peek(Token![=]) {
                    true => Some(meta.value()?.parse::<LitStr>()?.value()),
                    false => None,
                };
                match name.as_str() {
                    "rename" => serde.rename = text,
                    "serialize_with" | "with" => {
                        serde.with =
                            text.and_then(|text| Some(text.rsplit("::").next()?.to_owned()));
                    }
                    "skip" | "skip_serializing" => serde.skip = true,
                    "skip_serializing_if" => serde.optional = true,
                    "flatten" => serde.flatten = true,
                    "transparent" => serde.transparent = true,
                    "untagged" => serde.untagged = true,
                    // Of what is read, or of words.
                    "default" | "borrow" | "deny_unknown_fields" | "rename_all" => {}
                    _ => return Err(meta.error("an attribute of serde that is not known here")),
                }
                Ok(())
            })?;
        }
        Ok(serde)
    }
}

/// The description that comments give, without links of rustdoc.
fn about(attributes: &[Attribute]) -> Option<String> {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|one| one.path().is_ident("doc")) {
        if let syn::Meta::NameValue(meta) = &attribute.meta
            && let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &meta.value
        {
            lines.push(line.value().trim().to_owned());
        }
    }
    let text = lines.join(" ");
    (!text.is_empty()).then(|| without_links(&text))
}

/// `[text](target)` and `[text]` as `text`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((name, behind)) = behind.split_once(']') else {
            plain.push('[');
            rest = behind;
            continue;
        };
        plain.push_str(name);
        let target = behind.strip_prefix('(').and_then(|target| target.split_once(')'));
        rest = target.map_or(behind, |(_, behind)| behind);
    }
    plain + rest
}

/// Values in a row: an array where all have one form.
fn row_of(mut items: Vec<Shape>) -> Shape {
    match items.windows(2).all(|two| two[0] == two[1]) && !items.is_empty() {
        true => Shape::Array(Box::new(items.remove(0))),
        false => Shape::Tuple(items),
    }
}

/// The members of `self.a.b`, and the function that writes it.
fn members(value: &Expr) -> (Option<String>, Option<Vec<String>>) {
    match value {
        Expr::Reference(inner) => members(&inner.expr),
        Expr::Call(call) if call.args.len() == 1 => match &*call.func {
            Expr::Path(path) => (Some(last(&path.path)), members(&call.args[0]).1),
            _ => (None, None),
        },
        Expr::Field(_) => {
            let mut names = Vec::new();
            let mut at = value;
            while let Expr::Field(field) = at {
                names.push(match &field.member {
                    Member::Named(name) => name.unraw().to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                });
                at = &field.base;
            }
            names.reverse();
            let is_self = matches!(at, Expr::Path(path) if path.path.is_ident("self"));
            (None, is_self.then_some(names))
        }
        _ => (None, None),
    }
}

fn last(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

/// The types in the angle brackets of a path.
fn type_arguments(path: &syn::Path) -> Vec<Type> {
    match path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(all)) => all
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(kind) => Some(kind.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn type_arguments_of(kind: &Type) -> Vec<Type> {
    if let Type::Path(path) = kind { type_arguments(&path.path) } else { Vec::new() }
}

fn is_option(kind: &Type) -> bool {
    match kind {
        Type::Reference(inner) => is_option(&inner.elem),
        Type::Path(path) => last(&path.path) == "Option",
        _ => false,
    }
}

/// The names of the types that a definition takes.
fn parameters(kind: &Kind) -> Vec<String> {
    let generics = match kind {
        Kind::Struct(item) => &item.generics,
        Kind::Enum(item) => &item.generics,
        Kind::Alias(item) => &item.generics,
    };
    generics.type_params().map(|parameter| parameter.ident.to_string()).collect()
}

/// Whether `Serialize` is derived.
fn derives(attributes: &[Attribute]) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|one| one.path().is_ident("derive")) {
        let _ = attribute.parse_nested_meta(|meta| {
            found |= last(&meta.path) == "Serialize";
            Ok(())
        });
    }
    found
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let mut found = false;
        if attribute.path().is_ident("cfg") {
            let _ = attribute.parse_nested_meta(|meta| {
                found |= meta.path.is_ident("test");
                Ok(())
            });
        }
        found
    })
}

/// What a `use` brings, by the name that it has then.
fn imports(tree: &UseTree, above: &mut Vec<String>, found: &mut BTreeMap<String, Vec<String>>) {
    let mut take = |name: &Ident, local: &Ident| {
        let whole = above.iter().cloned().chain((name != "self").then(|| name.to_string()));
        let local = if local == "self" {
            above.last().cloned().unwrap_or_default()
        } else {
            local.to_string()
        };
        found.insert(local, whole.collect());
    };
    match tree {
        UseTree::Name(name) => take(&name.ident, &name.ident),
        UseTree::Rename(name) => take(&name.ident, &name.rename),
        UseTree::Path(path) => {
            above.push(path.ident.to_string());
            imports(&path.tree, above, found);
            above.pop();
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| imports(tree, above, found));
        }
        UseTree::Glob(_) => (),
    }
}

/// The Rust files below a folder, in a fixed order.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
