import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLogFile } from "./logger.ts";

it("[Q16] a log that could not be written continues when it can be, and reports how much is missing", () => {
  const folder = join(mkdtempSync(join(tmpdir(), "skein-log-")), "logs");
  const file = join(folder, "server.log");
  writeFileSync(folder, "a file where the folder should be");
  const log = createLogFile(file, (lost) => log.write(`lost ${lost}\n`));
  log.write("first\n");
  log.write("second\n");
  rmSync(folder);
  log.write("third\n");
  log.write("fourth\n");
  expect(readFileSync(file, "utf8")).toBe("third\nlost 2\nfourth\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
