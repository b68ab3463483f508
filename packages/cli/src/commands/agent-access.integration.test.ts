import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apiTokenSchema, createdApiTokenSchema } from "@skein/contracts";
import { expect, it } from "vitest";
import { createSandbox } from "../testing/spawn-skein.ts";

it("[M1] the skill is installed, updated and removed; another skill with its name is left alone", async () => {
  await using sandbox = createSandbox();
  const run = (...args: string[]) => sandbox.skein(["skill", ...args]).ended;
  const home = path.dirname(sandbox.home);
  const own = path.join(home, ".agents/skills/skein/SKILL.md");
  mkdirSync(path.join(home, ".claude"));
  const ofClaude = path.join(home, ".claude/skills/skein/SKILL.md");

  expect(await run("install")).toMatchObject({ code: 0, stdout: `Installed: ${own}\nInstalled: ${ofClaude}\n` });
  const text = readFileSync(own, "utf8");
  expect(text).toMatch(/^---\nname: skein\n/);
  expect(readFileSync(ofClaude, "utf8")).toBe(text);
  expect((await run("install")).stdout).toBe(`Already installed: ${own}\nAlready installed: ${ofClaude}\n`);
  writeFileSync(own, `${text}\nAn older sentence.\n`);
  expect((await run("install", "--agent", "codex")).stdout).toBe(`Updated: ${own}\n`);
  expect(readFileSync(own, "utf8")).toBe(text);

  writeFileSync(ofClaude, "---\nname: skein\n---\nHow to wind wool.\n");
  expect(await run("install", "--agent", "claude-code")).toMatchObject({ code: 1, stderr: expect.stringContaining("--dir") });
  expect((await run("uninstall", "--agent", "claude-code")).code).toBe(1);
  expect(readFileSync(ofClaude, "utf8")).toContain("wool");
  expect(await run("uninstall", "--agent", "codex")).toMatchObject({ code: 0, stdout: `Removed: ${own}\n` });
  expect(existsSync(path.dirname(own))).toBe(false);
  expect(await run("uninstall", "--agent", "codex")).toMatchObject({ code: 0, stdout: `Not installed: ${own}\n` });
});

it("[M1] a server without users has tokens with a scope, a project and limits; they are listed and revoked", async () => {
  await using sandbox = createSandbox();
  const run = async (...args: string[]) => sandbox.skein(["tokens", ...args]).ended;
  const server = sandbox.skein(["serve", "--port", "0", "--no-open"]);
  await server.printed(/Open\s+http/);
  expect((await run()).stdout).toContain("skein tokens create --name");
  const made = await run(
    "create",
    "--name",
    "agent",
    "--scope",
    "write",
    "--max-starts",
    "3",
    "--max-cost",
    "1.5",
    "--max-depth",
    "1",
    "--json",
  );
  const { token, ...created } = createdApiTokenSchema.parse(JSON.parse(made.stdout));
  expect(created).toMatchObject({ userId: null, scope: "write", projectIds: null, limits: { starts: 3, costUsd: 1.5, depth: 1 } });
  expect(apiTokenSchema.array().parse(JSON.parse((await run("--json")).stdout))).toEqual([created]);
  expect((await run()).stdout).toMatch(/TOKEN\s+SCOPE\s+USED\s+EXPIRES\s+NAME\n.*write\s+never/);
  expect((await run("create", "--name", "x", "--scope", "all")).code).toBe(2);
  expect((await run("create", "--name", "x", "--scope", "read", "--project", "nowhere")).code).not.toBe(0);
  expect((await run("revoke", created.id)).stdout).toContain(created.id);
  expect((await run("--json")).stdout).not.toContain(created.id);
  expect(server.stdout() + server.stderr()).not.toContain(token);
});
