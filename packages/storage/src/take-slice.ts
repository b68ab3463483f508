/** The first rows with at most `maxBytes` in total; at least one if there are any. */
export function takeSlice<Row extends { bytes: number }>(rows: readonly Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += row.bytes;
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}
