import { setTimeout as delay } from "node:timers/promises";
import { residentKilobytes } from "./agents/replaying-server.mjs";
import { findFreePort, startSkein, withHome } from "./server-process.mjs";
import { readCpuMs } from "./size/cpu-time.mjs";

const defaults = { settleMs: 5_000 };
/** On a busy machine a start takes longer: a server is idle that used less than 1 % of a processor for some seconds. */
const idle = { forMs: 3000, cpuMs: 30, attempts: 10 };

/** Resident memory of the idle server. */
export async function measureMemory({ settleMs } = defaults) {
  return withHome(async (home) => {
    const server = await startSkein({ home, port: await findFreePort() });
    try {
      await delay(settleMs);
      if (settleMs > 0) await untilIdle(server.pid);
      const kilobytes = residentKilobytes(server.pid);
      return {
        name: "memory of the idle server",
        value: kilobytes / 1024,
        unit: "MB",
        target: 85,
        note: "resident, 5 s after start or once it is idle",
      };
    } finally {
      await server.stop();
    }
  });
}

async function untilIdle(pid) {
  for (let attempt = 0; attempt < idle.attempts; attempt++) {
    const before = readCpuMs(pid);
    await delay(idle.forMs);
    if (before === undefined || readCpuMs(pid) - before < idle.cpuMs) return;
  }
}
