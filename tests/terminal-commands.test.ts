import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { startShell } from "../packages/host/src/terminal/start-shell.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";

async function newAttempt(server: RealServer) {
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  return server.api.createAttempt(task.id);
}

/** Runs `skein` in a terminal, as a user does. */
async function runInTerminal(server: RealServer, args: string[], environment: Record<string, string> = {}) {
  let printed = "";
  const run = { type: "shell" as const, program: process.execPath, args: [skeinProgram, ...args, "--home", server.home] };
  const all = { PATH: process.env.PATH ?? "", HOME: server.home, TERM: "xterm", ...environment };
  const order = { id: "trm_test", folder: "", socket: "", controlKey: "", cwd: server.home, environment: all, idleMs: 0 };
  const size = { columns: 70, rows: 20 };
  const terminal = await startShell({ ...order, run: { ...run, size } }, { ...run, size }, (chunk) => {
    printed += Buffer.from(chunk).toString();
  });
  onTestFinished(() => terminal.close());
  const waitFor = (text: string) => vi.waitFor(() => expect(printed).toContain(text), { timeout: 60_000, interval: 20 });
  return { ...terminal, waitFor };
}

test("[L9] skein terminal: raw keys, the size of the user's terminal, Ctrl-] detaches, and the shell's exit code is its own", async () => {
  const server = await startRealServer({ environment: { SHELL: "/bin/bash" } });
  const { id } = await newAttempt(server);
  const first = await runInTerminal(server, ["terminal", id]);
  await first.waitFor("Terminal 1. Ctrl-] detaches; it keeps running.");
  first.write("X=kept; stty size; echo typed-$((1+1))\r");
  await first.waitFor("typed-2");
  await first.waitFor("20 70");
  first.resize({ columns: 101, rows: 31 });
  // the new size arrives some time after the change
  const asking = setInterval(() => first.write("stty size\r"), 500);
  await first.waitFor("31 101").finally(() => clearInterval(asking));
  first.write("echo sleeping-$((1+1)); sleep 1000\r");
  await first.waitFor("sleeping-2");
  first.write("\u0003");
  await first.waitFor("^C");
  first.write("echo interrupted-$((1+1))\r");
  await first.waitFor("interrupted-2");
  first.write("\u001d");
  expect(await first.ended).toMatchObject({ exitCode: 0 });
  await first.waitFor("Detached.");

  const second = await runInTerminal(server, ["terminal", id]);
  await second.waitFor("typed-2");
  second.write("echo still-$X\r");
  await second.waitFor("still-kept");
  second.write("exit 4\r");
  expect(await second.ended).toMatchObject({ exitCode: 4 });
  const list = await runInTerminal(server, ["terminal", id, "--list"]);
  await list.waitFor("1  exited (4)");
  const closing = await runInTerminal(server, ["terminal", id, "--number", "1", "--close"]);
  await closing.waitFor("Closed terminal 1.");
});

test("[L9] skein open --editor runs the editor's command on this machine, with the folder or a file and its line", async () => {
  const server = await startRealServer();
  const { id, directory } = await newAttempt(server);
  const bin = newFolder("bin");
  const record = join(bin, "record");
  for (const name of ["code", "zed"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$0" "$@" > ${record}.part; mv ${record}.part ${record}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const run = async (...args: string[]) => {
    const { ended } = await runInTerminal(server, ["open", id, ...args], { PATH: `${bin}:${process.env.PATH}` });
    expect(await ended).toMatchObject({ exitCode: 0 });
    expect(existsSync(record)).toBe(true);
    return readFileSync(record, "utf8").trim().split("\n");
  };
  expect(await run("--editor")).toEqual([join(bin, "code"), directory]);
  expect(await run("--editor", "zed", "--file", "hello.js:2")).toEqual([join(bin, "zed"), `${directory}/hello.js:2`]);
  writeFileSync(join(server.home, "config.json"), JSON.stringify({ editor: ["zed", "+{line}", "{path}"] }));
  expect(await run("--editor", "--file", "hello.js:2")).toEqual([join(bin, "zed"), "+2", `${directory}/hello.js`]);
});
