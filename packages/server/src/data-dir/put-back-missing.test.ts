import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { putBackMissing } from "./back-up-data-dir.ts";

const folders = 40;
const files = 100;

test("[Q16] kill -9 in the middle of a restore leaves no half of a folder, and the next one completes it", async () => {
  const root = mkdtempSync(join(tmpdir(), "skein-put-back-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [backup, home] = [join(root, "backup"), join(root, "home")];
  mkdirSync(home);
  for (let folder = 0; folder < folders; folder++) {
    const path = join(backup, "executions", `exe_${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < files; file++) writeFileSync(join(path, `${file}.log`), "x".repeat(2000));
  }
  const executions = join(home, "executions");
  const listSizes = () => (existsSync(executions) ? readdirSync(executions).map((name) => readdirSync(join(executions, name)).length) : []);

  const program = `import { putBackMissing } from ${JSON.stringify(new URL("./back-up-data-dir.ts", import.meta.url).href)};
    putBackMissing(${JSON.stringify(backup)}, ${JSON.stringify(home)});`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], { stdio: "inherit" });
  await vi.waitFor(() => expect(listSizes().length).toBeGreaterThan(2), { timeout: 60_000, interval: 1 });
  child.kill("SIGKILL");
  await once(child, "exit");
  const left = listSizes();
  expect(left.filter((size) => size !== files)).toEqual([]);

  expect(putBackMissing(backup, home).executions).toBe(folders - left.length);
  expect(listSizes()).toEqual(Array.from({ length: folders }, () => files));
  expect(readdirSync(home)).toEqual(["executions"]);
});
