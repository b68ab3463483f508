import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";

const packLibrary = new URL("../scripts/setup/pack-library.mjs", import.meta.url).href;
const repository = fileURLToPath(new URL("..", import.meta.url));
let folder = "";
let server: RealServer;

beforeAll(async () => {
  const release = newFolder("client-release");
  const code = `const { packLibrary } = await import(${JSON.stringify(packLibrary)}); console.log(await packLibrary("client", ${JSON.stringify(release)}));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
  folder = newFolder("client-user");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const file = printed.trim().split("\n").at(-1) ?? "";
  const args = ["install", "--offline", "--no-audit", "--no-fund", "--cache", newFolder("npm-cache"), file];
  execFileSync("npm", args, { cwd: folder, stdio: "pipe" });
  server = await startRealServer({ keep: true });
});
afterAll(() => server.stop());

test("[M4] the package has no dependencies and is small", () => {
  const installed = join(folder, "node_modules/@skein/client");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest).filter((key) => /ependencies|scripts/.test(key))).toEqual([]);
  expect(readdirSync(join(folder, "node_modules/@skein"))).toEqual(["client"]);
  const script = readFileSync(join(installed, "index.js"));
  expect(script.toString()).not.toMatch(/\b(?:import|require)\b[^;]*["'](?:node:|zod|@skein)/);
  expect(gzipSync(script).length).toBeLessThan(4000);
});

test("[M4] the examples of its README print what is documented, against a real server", () => {
  const readme = readFileSync(join(folder, "node_modules/@skein/client/README.md"), "utf8");
  const examples = [...readme.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)];
  expect(examples).toHaveLength(3);
  const { token } = { token: readFileSync(join(server.home, "token"), "utf8") };
  const env = { PATH: process.env.PATH, SKEIN_URL: server.url, SKEIN_TOKEN: token, REPOSITORY: newRepository() };
  for (const [, code = "", printed] of examples) {
    writeFileSync(join(folder, "example.js"), code);
    expect(execFileSync(process.execPath, ["example.js"], { cwd: folder, env, encoding: "utf8" })).toBe(printed);
  }
});

test("[M4] its types know every route, and need nothing that the package does not contain", () => {
  const code = `import { createClient, followEvents, type Task, type RouteAnswer } from "@skein/client";
const client = createClient({ url: "http://127.0.0.1:1", token: "t" });
export async function use(id: string): Promise<string> {
  const tasks: Task[] = [await client.request("GET /api/tasks/:id", { params: { id } })];
  const health: RouteAnswer<"GET /api/health"> = await client.request("GET /api/health");
  const file: Response = await client.request("POST /api/attempts/:id/export", { params: { id }, body: { format: "html" } });
  await client.request("POST /api/attempts/:id/undo-compression", { params: { id } });
  for await (const { seq, type } of followEvents<{ type: string }>(client, { after: 1 })) return type + seq;
  // @ts-expect-error no such route
  await client.request("GET /api/weather");
  // @ts-expect-error an id is needed
  await client.request("GET /api/tasks/:id");
  // @ts-expect-error no such format
  await client.request("POST /api/attempts/:id/export", { params: { id }, body: { format: "pdf" } });
  return tasks.map(({ title }) => title).join() + health.status + file.status;
}
`;
  writeFileSync(join(folder, "example.ts"), code);
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--types",
    "",
  ];
  execFileSync(process.execPath, [compiler, ...options, "--lib", "es2024,dom", "example.ts"], { cwd: folder, stdio: "pipe" });
});
