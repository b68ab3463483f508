/** `1.5 MB` */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
