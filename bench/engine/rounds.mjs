/** The clock of processor time is coarse: shorter runs are measured by elapsed time. */
const coarseMs = 5;

/**
 * Runs the subjects in turn, round after round, and returns the processor time of each in milliseconds, of all threads, in the
 * fastest `part` of the rounds, a quarter unless given. On the clock, a round in which others had the processor would count for the subject that it hit; and
 * others share the caches, which slows down most what allocates most. A subject is `{ prepare?, run }`; only `run` is timed.
 */
export async function quietTimes(subjects, { rounds, warmUps, part = 0.25 }) {
  const times = subjects.map(() => []);
  for (let round = -warmUps; round < rounds; round++) {
    for (const [index, { prepare, run }] of subjects.entries()) {
      const prepared = prepare?.();
      const [startedAt, before] = [performance.now(), process.cpuUsage()];
      await run(prepared);
      const { user, system } = process.cpuUsage(before);
      const elapsed = performance.now() - startedAt;
      if (round >= 0) times[index].push(elapsed < coarseMs ? elapsed : (user + system) / 1000);
    }
  }
  return times.map((values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]);
}
