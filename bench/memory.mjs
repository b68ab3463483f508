import { setTimeout as delay } from "node:timers/promises";
import { residentKilobytes } from "./agents/replaying-server.mjs";
import { findFreePort, startSkein, withHome } from "./server-process.mjs";

const defaults = { settleMs: 5_000 };

/** Resident memory of the idle server. */
export async function measureMemory({ settleMs } = defaults) {
  return withHome(async (home) => {
    const server = await startSkein({ home, port: await findFreePort() });
    try {
      await delay(settleMs);
      const kilobytes = residentKilobytes(server.pid);
      return { name: "memory of the idle server", value: kilobytes / 1024, unit: "MB", target: 85, note: "resident, 5 s after start" };
    } finally {
      await server.stop();
    }
  });
}
