import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "..");

it("the program in the README runs and prints what the README says", () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const [, code = "", printed = ""] = /```ts\n(.*?)```.*?```text\n(.*?)```/s.exec(readme) ?? [];
  const args = ["--input-type=module-typescript", "--disable-warning=ExperimentalWarning", "--eval", code];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" })).toBe(printed);
});
