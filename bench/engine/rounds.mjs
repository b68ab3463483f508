/**
 * Runs the subjects in turn, round after round, so that a slow moment of the machine hits all of them, and gives the median
 * time of each in milliseconds. A subject is `{ prepare?, run }`; only `run` is timed.
 */
export async function medianTimes(subjects, { rounds, warmUps }) {
  const times = subjects.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, { prepare, run }] of subjects.entries()) {
      const prepared = prepare?.();
      const startedAt = performance.now();
      await run(prepared);
      const elapsed = performance.now() - startedAt;
      if (round >= 0) times[index].push(elapsed);
    }
  }
  return times.map((values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);
}
