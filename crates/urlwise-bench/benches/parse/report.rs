//! The tables that are printed.

use urlwise_bench::sets::Set;
use urlwise_bench::table::Table;

use crate::cost::Cost;
use crate::readers::{self, OURS, READERS};

/// What a set is: its name, how many URLs, how long.
pub(crate) fn heading(set: &Set) -> String {
    format!("{}: {} URLs, {} octets each", set.name, set.urls.len(), set.mean_length())
}

/// The table of one set: a row for each parser.
pub(crate) fn details(set: &Set, costs: &[Cost]) -> Table {
    let columns = ["per URL", "time", "instructions", "allocations", "takes", "time ratio", "instruction ratio"];
    let mut table = Table::new(heading(set), columns);
    let ours = of(OURS, costs);
    for cost in costs {
        let mut row = vec![
            cost.reader.to_owned(),
            format!("{:.1} ns", cost.nanoseconds),
            shown(cost.instructions, 0),
            shown(cost.allocations, 2),
            format!("{}/{}", cost.takes, set.urls.len()),
        ];
        if let Some(ours) = ours
            && readers::is_rival(cost.reader)
        {
            row.push(format!("{:.2}", ours.time_ratio(cost)));
            row.push(shown(ours.instruction_ratio(cost), 2));
        }
        table.push(row);
    }
    table
}

/// The table of all sets, still without rows: the cost of one of ours for each rival's.
pub(crate) fn ratios(ours: &str) -> Table {
    let rivals = READERS.iter().map(|reader| reader.name).filter(|name| readers::is_rival(name));
    let title = format!("{ours} / rival, time and instructions: below 1, {ours} needs less");
    Table::new(title, ["set"].into_iter().chain(rivals))
}

/// The row of one set in the table of all sets.
pub(crate) fn ratios_of(ours: &str, set: &Set, costs: &[Cost]) -> Vec<String> {
    let mut row = vec![set.name.clone()];
    if let Some(ours) = of(ours, costs) {
        row.extend(
            costs
                .iter()
                .filter(|cost| readers::is_rival(cost.reader))
                .map(|rival| format!("{:.2} {:>5}", ours.time_ratio(rival), shown(ours.instruction_ratio(rival), 2))),
        );
    }
    row
}

fn of<'a>(reader: &str, costs: &'a [Cost]) -> Option<&'a Cost> {
    costs.iter().find(|cost| cost.reader == reader)
}

/// A figure with this many decimals, or `-` where it was not counted.
fn shown(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or("-".to_owned(), |figure| format!("{figure:.decimals$}"))
}
