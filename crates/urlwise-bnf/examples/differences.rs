//! Compares the readers on texts of one seed: `cargo run --release -p urlwise-bnf --example differences SEED TEXTS`.
//!
//! The last line is the number of texts, and how many of them both read as URLs. Differences end it with status 1, the twentieth at
//! once.

#![expect(clippy::print_stdout, reason = "what it finds is its output")]

use std::env;
use std::error::Error;
use std::process::ExitCode;
use urlwise_bnf::compare::Compared;
use urlwise_bnf::expected::Expected;
use urlwise_bnf::generate::Generator;

/// Differences that are worth seeing.
const MOST: u32 = 20;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [seed, texts] = &arguments[..] else { return Err("usage: differences SEED TEXTS".into()) };
    let (generator, expected) = (Generator::new(seed.parse()?), Expected::new(None));
    let texts: u64 = texts.parse()?;
    let mut text = Vec::new();
    let (mut urls, mut differences): (u64, u32) = (0, 0);
    for number in 0..texts {
        generator.write(number, &mut text);
        let compared = Compared::of(&expected, &text);
        urls += u64::from(compared.expected.is_ok());
        if !compared.agrees() {
            println!("text {number}: {}\n {compared:?}", text.escape_ascii());
            differences += 1;
            if differences == MOST {
                break;
            }
        }
    }
    println!("{texts} texts, {urls} URLs");
    Ok(if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
