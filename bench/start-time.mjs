import { findFreePort, startReference, startSkein, withHome } from "./server-process.mjs";

const defaults = { rounds: 15, warmUps: 2 };

/** From the spawn of `serve` to its first answer, warm, as a multiple of what a bare Node server takes in the same minute. */
export async function measureStartTime({ rounds, warmUps } = defaults) {
  return withHome(async (home) => {
    const skein = [];
    const reference = [];
    for (let round = -warmUps; round < rounds; round++) {
      const port = await findFreePort();
      const [bare, full] = [await timeOf(startReference(port)), await timeOf(startSkein({ home, port }))];
      if (round < 0) continue;
      reference.push(bare);
      skein.push(full);
    }
    const [skeinMs, referenceMs] = [median(skein), median(reference)];
    return {
      name: "start to first answer, compared with a bare Node server",
      value: skeinMs / referenceMs,
      unit: "×",
      target: 5,
      note: `${skeinMs.toFixed(0)} ms to ${referenceMs.toFixed(0)} ms, median of ${rounds}`,
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
