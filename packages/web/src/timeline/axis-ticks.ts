/** Round times for an axis: four to eight of them, from 0 on. */
export function toTicks(durationMs: number): number[] {
  if (durationMs <= 0) return [0];
  const rough = durationMs / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const ticks: number[] = [];
  for (let tick = 0; tick <= durationMs && ticks.length < 20; tick += step) ticks.push(tick);
  return ticks;
}
