import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { inRepository } from "./repository.mjs";

const busyMs = 300;
const busy = `const end = process.cpuUsage().user + ${busyMs * 1000}; while (process.cpuUsage().user < end);`;
const account = JSON.stringify(inRepository("scripts/setup/cpu-account.mjs"));

/** What a process of its own measures of `work`, which must end by itself. */
async function measure(work) {
  const program = `import { spawnSync } from "node:child_process"; import { openCpuAccount } from ${account};
    const account = openCpuAccount(); const before = account.usedMs(); ${work}; console.log(account.usedMs() - before);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  await once(child, "close");
  return Number(output);
}

it("counts the process itself, and a process that it started and waited for", async () => {
  expect(await measure(busy)).toBeGreaterThanOrEqual(busyMs);
  expect(await measure(`spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}])`)).toBeGreaterThanOrEqual(busyMs);
});

it("does not count waiting, nor other processes", async () => {
  const other = measure(busy);
  expect(await measure("await new Promise((done) => setTimeout(done, 500))")).toBeLessThan(busyMs);
  expect(await other).toBeGreaterThanOrEqual(busyMs);
});
