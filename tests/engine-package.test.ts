import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { newFolder } from "./support/repository.ts";

const packLibrary = new URL("../scripts/setup/pack-library.mjs", import.meta.url).href;
const repository = fileURLToPath(new URL("..", import.meta.url));
let folder = "";

beforeAll(() => {
  const release = newFolder("engine-release");
  const code = `const { packLibrary } = await import(${JSON.stringify(packLibrary)}); console.log(await packLibrary("engine", ${JSON.stringify(release)}));`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" });
  folder = newFolder("engine-user");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const args = [
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    "--cache",
    newFolder("npm-cache"),
    printed.trim().split("\n").at(-1) ?? "",
  ];
  execFileSync("npm", args, { cwd: folder, stdio: "pipe" });
});

test("[M3] the package has no dependencies and less than 20 kB", () => {
  const installed = join(folder, "node_modules/@skein/engine");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest).filter((key) => /ependencies|scripts/.test(key))).toEqual([]);
  expect(readdirSync(join(folder, "node_modules/@skein"))).toEqual(["engine"]);
  const script = readFileSync(join(installed, "index.js"));
  expect(script.toString()).not.toMatch(/\b(?:import|require)\b[^;]*["'](?:node:|zod|@skein)/);
  expect(gzipSync(script).length).toBeLessThan(20_000);
  expect(statSync(join(installed, "README.md")).size).toBeGreaterThan(1000);
});

test("[M3] the examples of its README print what is documented", () => {
  const readme = readFileSync(join(folder, "node_modules/@skein/engine/README.md"), "utf8");
  const examples = [...readme.matchAll(/```js\n((?:(?!```)[\s\S])*)```\n\n```text\n(.*?)```/gs)];
  expect(examples).toHaveLength(3);
  for (const [, code = "", printed] of examples) {
    writeFileSync(join(folder, "example.js"), code);
    expect(execFileSync(process.execPath, ["example.js"], { cwd: folder, encoding: "utf8" })).toBe(printed);
  }
  expect(statSync(join(folder, "node_modules/@skein/engine/API.md")).size).toBeGreaterThan(1000);
});

test("[M3] its types need nothing that it does not contain", () => {
  const code = `import { compact, type ConversionLoss, convert, estimateHistoryTokens, estimateTokens, repair, repairMiddleware, type RepairChange } from "@skein/engine";
interface Message { role: string; content: string }
const { messages, changes } = repair([{ role: "user", content: "Hi" }] satisfies Message[], { provider: "openai-chat" });
export const texts: string[] = messages.map(({ content }) => content);
export const types: RepairChange["type"][] = changes.map(({ type }) => type);
export const tokens: number = estimateTokens("a");
export const middleware = repairMiddleware({ onRepair: (made) => void made.length });
const converted = convert(messages, { from: "openai-chat", to: "gemini", system: "Be brief." });
export const losses: ConversionLoss[] = converted.losses;
export const shortened: Promise<Message[]> = compact(messages, { provider: "openai-chat", maxTokens: 9 }).then((done) => done.messages);
export const size: number = estimateHistoryTokens(converted.messages, { provider: "gemini", countText: (text) => text.length });
// @ts-expect-error no such provider
convert([], { from: "other", to: "gemini" });
// @ts-expect-error no such provider
repair([], { provider: "other" });
`;
  writeFileSync(join(folder, "example.ts"), code);
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "example.ts"];
  execFileSync(process.execPath, [join(repository, "node_modules/typescript/bin/tsc"), ...options], { cwd: folder, encoding: "utf8" });
});
