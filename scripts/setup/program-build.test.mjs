import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pruneBuilds } from "../../packages/host/bin/builds.mjs";
import { ensureProgramBuild } from "./program-build.mjs";
import { runCommand } from "./run-command.mjs";

const dayMs = 86_400_000;
let folder;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "skein-builds-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function addBuild(name, pids = []) {
  mkdirSync(path.join(folder, name, "in-use"), { recursive: true });
  for (const pid of pids) writeFileSync(path.join(folder, name, "in-use", String(pid)), "");
}

it("builds that a living process uses, and the current one, are kept", () => {
  const { pid: deadPid } = spawnSync(process.execPath, ["--version"]);
  addBuild("current");
  addBuild("used", [deadPid, process.pid]);
  addBuild("killed", [deadPid]);
  addBuild("unused");
  pruneBuilds(folder, { keep: "current", now: Date.now() + dayMs });
  expect(readdirSync(folder).sort()).toEqual(["current", "used"]);
  expect(readdirSync(path.join(folder, "used/in-use"))).toEqual([String(process.pid)]);
});

it("a recently requested build is kept, since its process may not have marked it yet", () => {
  addBuild("fresh");
  pruneBuilds(folder, { keep: "current" });
  expect(readdirSync(folder)).toEqual(["fresh"]);
});

it("leftovers of an interrupted deletion are deleted by the next one", () => {
  addBuild("half.removed");
  pruneBuilds(folder, { keep: "current", now: Date.now() + dayMs });
  expect(readdirSync(folder)).toEqual([]);
});

it("the build is complete, is made once for the same sources, and is marked as used while a process runs from it", async () => {
  const build = await ensureProgramBuild();
  expect(await ensureProgramBuild()).toBe(build);
  for (const file of ["skein.js", "run-cli.js", "runner-program.js", "git-thread-program.js", "unbash.js", "THIRD-PARTY-LICENSES.txt"]) {
    expect(existsSync(path.join(build, file)), file).toBe(true);
  }
  const { href } = pathToFileURL(path.join(build, "run-cli.js"));
  const program = `
    const { runCli } = await import(${JSON.stringify(href)});
    await runCli(["--version"]);
    console.log(process.pid, (await import("node:fs")).readdirSync(${JSON.stringify(path.join(build, "in-use"))}).join(","));
  `;
  const { code, tail } = await runCommand(process.execPath, ["--input-type=module", "-e", program], { output: "keep" });
  const [, version, pid, marks] = /^(\S+)\n(\d+) (\S+)\n/.exec(tail) ?? [];
  expect({ code, version }, tail).toEqual({ code: 0, version: "0.1.0" });
  expect(marks.split(",")).toContain(pid);
  expect(existsSync(path.join(build, "in-use", pid))).toBe(false);
});
