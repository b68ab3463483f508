import { findFreePort, startReference, startSkein, withHome } from "./server-process.mjs";

const defaults = { rounds: 15, warmUps: 2 };

/**
 * From the spawn of `serve` to its first answer, warm, as a multiple of what a bare Node server takes right before it. Without the time
 * in which their threads had no processor, which on a busy machine is most of it. The median of the ratios counts: the load of a machine
 * changes during the rounds.
 */
export async function measureStartTime({ rounds, warmUps } = defaults) {
  return withHome(async (home) => {
    const pairs = [];
    for (let round = -warmUps; round < rounds; round++) {
      const port = await findFreePort();
      const [bare, full] = [await timeOf(startReference(port)), await timeOf(startSkein({ home, port }))];
      if (round < 0) continue;
      pairs.push({ bare: bare.ms, full: full.ms, ratio: full.ms / bare.ms, clock: full.clockMs / bare.clockMs });
    }
    const [ratio, full, bare, clock] = ["ratio", "full", "bare", "clock"].map((field) => median(pairs.map((pair) => pair[field])));
    return {
      name: "start to first answer, compared with a bare Node server",
      value: ratio,
      unit: "×",
      target: 5,
      note: `${full.toFixed(0)} ms to ${bare.toFixed(0)} ms without waits for a processor, median of ${rounds}; on the clock ${clock.toFixed(1)} ×`,
    };
  });
}

async function timeOf(starting) {
  const server = await starting;
  await server.stop();
  return { ms: server.readyMs - server.delayedMs, clockMs: server.readyMs };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
