import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "./support/scripts.ts";
import { openTerminal } from "./support/terminal-reader.ts";

const megabyte = 1_000_000;
let tarball = "";

beforeAll(() => {
  const folder = newFolder("release");
  const packing = `
    const { packSkein } = await import(${JSON.stringify(new URL("../scripts/setup/pack-skein.mjs", import.meta.url).href)});
    console.log(await packSkein(${JSON.stringify(folder)}));
  `;
  tarball = execFileSync(process.execPath, ["--input-type=module", "-e", packing], { encoding: "utf8" }).trim().split("\n").at(-1) ?? "";
});

/** Installs the package with no cache and no registry to take anything else from. Returns the folder and the `skein` command in it. */
function install(folder = newFolder("installed")): { folder: string; skein: string } {
  writeFileSync(join(folder, "package.json"), "{}");
  const args = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", newFolder("npm-cache"), tarball];
  execFileSync("npm", args, { cwd: folder, stdio: "pipe" });
  return { folder, skein: join(folder, "node_modules/.bin/skein") };
}

const listFiles = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test("[M2] one package without install scripts and with nothing that it needs, below 15 MB packed and 60 MB installed, does the first story", async () => {
  const { folder, skein } = install();
  const own = join(folder, "node_modules/@skein/cli");
  const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  // npm leaves it out where it cannot be had, as here
  expect(Object.keys(manifest).filter((key) => /ependencies|scripts/.test(key))).toEqual(["optionalDependencies"]);
  expect(Object.keys(manifest.optionalDependencies)).toEqual(["@lydell/node-pty"]);
  expect(statSync(tarball).size).toBeLessThan(15 * megabyte);
  const bytes = listFiles(folder).reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  expect(bytes).toBeGreaterThan(megabyte);
  expect(bytes).toBeLessThan(60 * megabyte);
  for (const name of ["LICENSE", "README.md", "build/THIRD-PARTY-LICENSES.txt"]) expect(existsSync(join(own, name)), name).toBe(true);

  const home = newFolder("home");
  const args = ["run", "Show me", "--agent", "native", "--model", "scripted/demo", "--permission-mode", "full", "--repo", newRepository()];
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  const printed = execFileSync(process.execPath, [skein, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  execFileSync(process.execPath, [skein, "skill", "install"], { env });
  expect(readFileSync(join(home, ".agents/skills/skein/SKILL.md"), "utf8")).toMatch(/^---\nname: skein\n/);
  expect(printed).toMatch(/✓ Listed files[\s\S]*✓ .*skein-demo\.md/);

  const server = await startRealServer({ program: skein });
  const page = await (await fetch(server.url)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  expect((await fetch(`${server.url}${script}`)).headers.get("content-type")).toMatch(/javascript/);
});

test("[M2, L9] without the package that opens terminals, only they are missing, and it says so; with it, they are there", async () => {
  const { folder, skein } = install();
  const open = async () => {
    const server = await startRealServer({ program: skein });
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id);
    return openTerminal(server, attempt.id);
  };
  await expect(open()).rejects.toMatchObject({ problem: { code: "terminals-unavailable", reason: /@lydell\/node-pty/ } });
  cpSync(new URL("../node_modules/@lydell", import.meta.url), join(folder, "node_modules/@lydell"), { recursive: true });
  const terminal = await open();
  await terminal.type("echo opened-$((1+1))\r");
  await terminal.waitFor("opened-2");
});

test("[M2] a server and its agents keep working while npm replaces the package that they were started from", async () => {
  const { folder, skein } = install();
  const server = await startRealServer({ program: skein });
  const stream = await openEventStream(server.api);
  const ended = (id: string | undefined) => stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === id);
  const project = await server.api.createProject(newRepository());
  const startTask = async (model: string) => {
    const task = await server.api.createTask(project.id);
    const attempt = await server.api.createAttempt(task.id, { model });
    const { executionId } = await server.api.send(task.id, "Begin");
    return { attempt, executionId };
  };
  const waiting = await startTask(newScriptedModel([{ toolCalls: [bash("touch began"), bashUntilGo] }, { text: "Done." }]));
  const directory = waiting.attempt.directory;
  await vi.waitFor(() => expect(existsSync(join(directory, "began"))).toBe(true), 60_000);

  rmSync(join(folder, "node_modules"), { recursive: true });
  const late = await startTask(newScriptedModel([{ toolCalls: [bash("echo late")] }, { text: "Done." }]));
  await ended(late.executionId);
  install(folder);
  writeFileSync(join(directory, "go"), "");
  await ended(waiting.executionId);
  for (const { attempt } of [waiting, late]) expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
  stream.close();
});
