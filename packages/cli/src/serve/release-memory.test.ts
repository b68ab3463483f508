import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const program = `
  import { getHeapStatistics } from "node:v8";
  import { releaseMemoryAtRest } from ${JSON.stringify(new URL("./release-memory.ts", import.meta.url).href)};
  releaseMemoryAtRest();
  let lines = Array.from({ length: 500_000 }, (_, index) => ({ text: "line " + index }));
  const most = getHeapStatistics().total_heap_size;
  lines = undefined;
  while (getHeapStatistics().total_heap_size > most / 2) await new Promise((resolve) => setTimeout(resolve, 100));
  console.log("released", lines ?? "everything");
`;

it("an idle process returns memory to the system", { timeout: 60_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { timeout: 50_000 });
  expect(stdout).toBe("released everything\n");
});
