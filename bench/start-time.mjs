import { findFreePort, startReference, startSkein, withHome } from "./server-process.mjs";

const defaults = { rounds: 15, warmUps: 2 };

/**
 * From the spawn of `serve` to its first answer, warm, as a multiple of what a bare Node server takes right before it. The median of the
 * ratios counts: the load of a machine changes during the rounds.
 */
export async function measureStartTime({ rounds, warmUps } = defaults) {
  return withHome(async (home) => {
    const pairs = [];
    for (let round = -warmUps; round < rounds; round++) {
      const port = await findFreePort();
      const [bare, full] = [await timeOf(startReference(port)), await timeOf(startSkein({ home, port }))];
      if (round < 0) continue;
      pairs.push({ bare, full, ratio: full / bare });
    }
    const [ratio, full, bare] = ["ratio", "full", "bare"].map((field) => median(pairs.map((pair) => pair[field])));
    return {
      name: "start to first answer, compared with a bare Node server",
      value: ratio,
      unit: "×",
      target: 5,
      note: `${full.toFixed(0)} ms to ${bare.toFixed(0)} ms, median of ${rounds}`,
    };
  });
}

async function timeOf(starting) {
  const server = await starting;
  await server.stop();
  return server.readyMs;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
