import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort, startSkein, withHome } from "./server-process.mjs";

const settleMs = 5_000;

/** Resident memory of the server after it has come to rest. */
export async function measureMemory() {
  return withHome(async (home) => {
    const server = await startSkein({ home, port: await findFreePort() });
    try {
      await delay(settleMs);
      const kilobytes = residentKilobytes(server.pid);
      return { name: "memory of the idle server", value: kilobytes / 1024, unit: "MB", target: 110, note: "resident, 5 s after start" };
    } finally {
      await server.stop();
    }
  });
}

/** A small Linux system may have no `ps`. */
function residentKilobytes(pid) {
  if (existsSync("/proc/self/status")) return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1]);
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
}
