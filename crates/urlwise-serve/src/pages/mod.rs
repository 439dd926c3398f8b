//! The pages. Every one is made by a template engine that escapes, from text in which nothing can harm a reader.

pub(crate) mod article;
pub(crate) mod crumbs;
pub(crate) mod diagram;
pub(crate) mod document;
pub(crate) mod draft;
pub(crate) mod explain;
pub(crate) mod form;
pub(crate) mod frame;
pub(crate) mod gopher_plus;
pub(crate) mod handlers;
pub(crate) mod menu;
pub(crate) mod problem;
pub(crate) mod readings;
pub(crate) mod text;
pub(crate) mod threads;
pub(crate) mod welcome;
