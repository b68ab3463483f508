const columns = [
  ["", ({ met }) => (met ? "✓" : "✗")],
  ["what", ({ name }) => name],
  ["value", ({ value, unit }) => `${value.toFixed(1)} ${unit}`],
  ["target", ({ target, unit }) => `≤ ${target} ${unit}`],
  ["", ({ note }) => note],
];

/** One line for each result `{ name, value, unit, target, note, met }`. */
export function formatResults(results) {
  const rows = [columns.map(([title]) => title), ...results.map((result) => columns.map(([, read]) => read(result)))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index].length)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
