const units = [
  ["y", 365 * 86_400],
  ["mo", 30 * 86_400],
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** "now", "5 min", "3 h", "12 d": how long ago, in the largest unit that fits. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? [];
  return unit === undefined ? "now" : `${Math.floor(seconds / length)} ${unit}`;
}
