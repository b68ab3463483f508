const columns = [
  ["", ({ met }) => (met ? "✓" : "✗")],
  ["what", ({ name }) => name],
  ["value", ({ value, unit }) => `${value.toFixed(1)} ${unit}`],
  ["target", ({ target, unit, atLeast }) => `${atLeast ? "≥" : "≤"} ${target} ${unit}`],
  ["", ({ note }) => note],
];

/** Whether a result `{ value, target }` met its target: at most, or `atLeast`. */
export function judge(result) {
  return { ...result, met: result.atLeast ? result.value >= result.target : result.value <= result.target };
}

/** One line for each result `{ name, value, unit, target, atLeast?, note, met }`. */
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
