import { execFile } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";

/** What bash offers after a line, by the script that `skein completion bash` prints. */
async function completeInBash(home: string, ...words: string[]): Promise<string[]> {
  const bin = newFolder("bin");
  const program = join(bin, "skein");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${skeinProgram}" "$@"\n`);
  chmodSync(program, 0o755);
  const script = `source <(skein completion bash); COMP_WORDS=(skein "$@"); COMP_CWORD=$#; _skein; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, SKEIN_HOME: home };
  const { stdout } = await promisify(execFile)("bash", ["-c", script, "bash", ...words], { env });
  return stdout.split("\n").filter((line) => line !== "");
}

test("[M2] a real bash completes commands, options, values and the ids of the running server", async () => {
  const server = await startRealServer();
  const { id } = await server.api.createTask((await server.api.createProject(newRepository())).id, "Fix it");
  expect(await completeInBash(server.home, "exp")).toEqual(["export"]);
  expect(await completeInBash(server.home, "export", "x", "--format", "m")).toEqual(["markdown"]);
  const [short = ""] = await completeInBash(server.home, "show", "");
  expect(id.startsWith(short) && short.length >= 12).toBe(true);
  await server.stop();
  expect(await completeInBash(server.home, "show", "")).toEqual([]);
});
