/**
 * Runs the subjects in turn, round after round, so that a slow moment of the machine hits all of them, and gives the median
 * processor time of each in milliseconds: on the clock, a round in which others had the processor would count for the subject
 * that it hit. A subject is `{ prepare?, run }`; only `run` is timed.
 */
export async function medianTimes(subjects, { rounds, warmUps }) {
  const times = subjects.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, { prepare, run }] of subjects.entries()) {
      const prepared = prepare?.();
      const before = process.threadCpuUsage();
      await run(prepared);
      const { user, system } = process.threadCpuUsage(before);
      if (round >= 0) times[index].push((user + system) / 1000);
    }
  }
  return times.map((values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]);
}
