import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Project } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { createLocalHost } from "@skein/host";
import { buildProject } from "@skein/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { pruneTrustedContents } from "../data-dir/trusted-contents.ts";
import { openRepositoryTrust, type RepositoryTrust } from "./repository-trust.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-trust-"));
});

const files = createLocalHost({ home: tmpdir(), searchPath: undefined, readRunnerSecret: () => "secret" }).workspaces;
const openTrust = (home: string) => openRepositoryTrust({ home, files });

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
const writeScripts = (value: unknown) => write(".skein/project.json", JSON.stringify(value));

describe("a repository's scripts", () => {
  test("no file, no scripts", async () => {
    expect(await files.readScripts({ directory: folder })).toEqual({ kind: "none" });
  });

  test.each([
    ["broken JSON", "{", "it is not valid JSON."],
    ["an unknown field", '{"setup":"x","install":"y"}', "it has unknown fields: install."],
    ["an empty script", '{"setup":" "}', "setup must not be empty."],
    ["a path that leads out", '{"copy":["a/../../b"]}', "copy.0 must stay inside the repository."],
    ["an absolute path", '{"copy":["/etc/passwd"]}', "copy.0 must stay inside the repository."],
    ["a script without end", JSON.stringify({ setup: "x".repeat(30_000) }), "setup must have at most 20000 characters."],
  ])("%s is rejected with a reason", async (_name, text, why) => {
    write(".skein/project.json", text);
    const read = await files.readScripts({ directory: folder });
    expect(read.kind === "unusable" && formatText(read.problem)).toBe(`.skein/project.json cannot be used: ${why}`);
  });

  test("[X8] the hash covers the content, not the formatting", async () => {
    const hash = async () => ((await files.readScripts({ directory: folder })) as { hash: string }).hash;
    writeScripts({ setup: "npm ci" });
    const first = await hash();
    write(".skein/project.json", '{\r\n  "copy": [], "setup": "npm ci"\r\n}');
    expect(await hash()).toBe(first);
    for (const changed of [
      { setup: "npm i" },
      { setup: "npm ci", copy: ["a"] },
      { setup: "npm ci", cleanup: "x" },
      { setup: "npm ci", timeoutSeconds: 5 },
    ]) {
      writeScripts(changed);
      expect(await hash()).not.toBe(first);
    }
  });
});

describe("agent settings in a repository", () => {
  test("every place where an agent looks, and nothing else", async () => {
    for (const path of [
      ".claude/settings.json",
      ".claude/settings.local.json",
      ".claude/commands/a.md",
      ".claude/skills/b/SKILL.md",
      ".mcp.json",
      ".codex/config.toml",
      ".codex/hooks/a.sh",
      ".gemini/settings.json",
      ".gemini/policies/a.toml",
      "opencode.jsonc",
      ".opencode/plugin/x.ts",
    ])
      write(path, path);
    for (const path of ["package.json", ".claude/notes.md", "src/opencode.json"]) write(path, path);
    const { settings, hash } = await files.readAgentSettings({ directory: folder });
    expect(settings).toEqual([
      ".claude/commands/a.md",
      ".claude/settings.json",
      ".claude/settings.local.json",
      ".claude/skills/b/SKILL.md",
      ".codex/config.toml",
      ".codex/hooks/a.sh",
      ".gemini/policies/a.toml",
      ".gemini/settings.json",
      ".mcp.json",
      ".opencode/plugin/x.ts",
      "opencode.jsonc",
    ]);
    write(".codex/hooks/a.sh", "changed");
    expect((await files.readAgentSettings({ directory: folder })).hash).not.toBe(hash);
  });

  test("[X8] are used when they are trusted as they are, not when there are none; a link is never trusted", async () => {
    const project = buildProject({ path: folder });
    const trust = openTrust(mkdtempSync(join(tmpdir(), "skein-home-")));
    const counts = async () => (await trust.judgeAgentSettings({ project, directory: folder, agent: "claude-code" })).areTrusted;
    // nothing was looked at: what an agent creates later must not find the folder trusted
    expect(await trust.judgeAgentSettings({ project, directory: folder, agent: "claude-code" })).toEqual({
      areTrusted: false,
      trusted: [],
      untrusted: [],
      wereTrusted: false,
    });
    write(".claude/settings.json", "{}");
    expect(await counts()).toBe(false);
    write(".claude/settings.local.json", "{}");
    await trustSettings(trust, project);
    expect(await counts()).toBe(true);
    // a worktree has what git has
    rmSync(join(folder, ".claude/settings.local.json"));
    expect([await counts(), (await trust.readAgentSettings(project)).trust]).toEqual([true, "trusted"]);
    write(".mcp.json", "{}");
    expect(await counts()).toBe(false);
    rmSync(join(folder, ".mcp.json"));
    write(".claude/settings.json", '{"hooks":{}}');
    expect([await counts(), (await trust.readAgentSettings(project)).trust]).toEqual([false, "changed"]);
    rmSync(join(folder, ".claude"), { recursive: true });
    const elsewhere = mkdtempSync(join(tmpdir(), "skein-elsewhere-"));
    symlinkSync(elsewhere, join(folder, ".claude"));
    expect([await counts(), (await files.readAgentSettings({ directory: folder })).problem]).toEqual([
      false,
      { code: "settings-link", path: ".claude" },
    ]);
  });

  test("[X8] trust in one agent's settings does not extend to an agent without settings in the folder", async () => {
    const project = buildProject({ path: folder });
    const trust = openTrust(mkdtempSync(join(tmpdir(), "skein-home-")));
    write(".claude/settings.json", "{}");
    await trustSettings(trust, project);
    const agents = ["claude-code", "codex", "gemini", "opencode", "acp:mine"] as const;
    const judged = await Promise.all(agents.map((agent) => trust.judgeAgentSettings({ project, directory: folder, agent })));
    expect(judged.map(({ areTrusted }) => areTrusted)).toEqual([true, false, false, false, true]);
  });

  test("[X16] cover the scripts that they name, and what those load", async () => {
    const project = buildProject({ path: folder });
    const trust = openTrust(mkdtempSync(join(tmpdir(), "skein-home-")));
    const hook = { type: "command", command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.mjs' };
    write(".claude/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] }, permissions: { allow: ["Edit(src/**)"] } }));
    write(".claude/hooks/x.mjs", 'import "../../tools/lib.mjs"');
    write(".claude/commands/deploy.md", "Look at src/app.ts.\n!`sh scripts/state.sh`\n");
    for (const path of ["tools/lib.mjs", "scripts/state.sh", "src/app.ts", "src/index.ts"]) write(path, "");
    await trustSettings(trust, project);
    const judge = () => trust.judgeAgentSettings({ project, directory: folder, agent: "claude-code" });
    expect((await trust.readAgentSettings(project)).read.files).toEqual([
      ".claude/commands/deploy.md",
      ".claude/hooks/x.mjs",
      ".claude/settings.json",
      "scripts/state.sh",
      "tools/lib.mjs",
    ]);
    write("src/app.ts", "changed");
    expect(await judge()).toMatchObject({ areTrusted: true, trusted: expect.arrayContaining([".claude/settings.json", "tools/lib.mjs"]) });
    write("tools/lib.mjs", "changed");
    expect(await judge()).toEqual({ areTrusted: false, trusted: [], untrusted: ["tools/lib.mjs"], wereTrusted: true });
    expect(await trust.describeChanges({ project, directory: folder, kind: "agent-settings" })).toEqual([
      { path: "tools/lib.mjs", change: "changed", patch: expect.stringContaining("+changed") },
    ]);
  });

  test("a trusted file that was removed leaves nothing to review", async () => {
    const project = buildProject({ path: folder });
    const trust = openTrust(mkdtempSync(join(tmpdir(), "skein-home-")));
    writeScripts({ setup: "x" });
    write(".mcp.json", "{}");
    await trustSettings(trust, project);
    const { hash } = await trust.readScripts(project);
    await trust.trust({ project, directory: folder, kind: "scripts", shown: hash ?? "", at: 1 });
    const states = async () => [(await trust.readScripts(project)).trust, (await trust.readAgentSettings(project)).trust];
    expect(await states()).toEqual(["trusted", "trusted"]);
    rmSync(join(folder, ".skein"), { recursive: true });
    rmSync(join(folder, ".mcp.json"));
    expect(await states()).toEqual(["none", "none"]);
    writeScripts({ setup: "y" });
    write(".mcp.json", "{ }");
    expect(await states()).toEqual(["changed", "changed"]);
  });

  test("[Q16] if the trust file cannot be read, nothing is trusted", async () => {
    const home = mkdtempSync(join(tmpdir(), "skein-home-"));
    writeFileSync(join(home, "repository-trust.json"), "{broken", { mode: 0o600 });
    write(".mcp.json", "{}");
    const project = buildProject({ path: folder });
    const judged = await openTrust(home).judgeAgentSettings({ project, directory: folder, agent: "claude-code" });
    expect(judged).toEqual({ areTrusted: false, trusted: [], untrusted: [".mcp.json"], wereTrusted: false });
    writeScripts({ setup: "x" });
    await expect(openTrust(home).readScripts(project)).rejects.toThrow(/so nothing that it lists is trusted. Delete the file/);
  });
});

async function trustSettings(trust: RepositoryTrust, project: Project): Promise<void> {
  const { hash } = (await trust.readAgentSettings(project)).read;
  expect(await trust.trust({ project, directory: folder, kind: "agent-settings", shown: hash ?? "", at: 1 })).toBe(true);
}

test("[X16] texts that no trust refers to are removed from the data dir, others are kept", async () => {
  const home = mkdtempSync(join(tmpdir(), "skein-trust-home-"));
  const trust = openTrust(home);
  const project = buildProject({ path: folder });
  const trustNow = async (at: number): Promise<void> => {
    const { hash } = await trust.readScripts(project);
    expect(await trust.trust({ project, directory: folder, kind: "scripts", shown: hash ?? "", at })).toBe(true);
  };
  const kept = () => readdirSync(join(home, "trusted-content")).map((name) => readFileSync(join(home, "trusted-content", name), "utf8"));
  writeScripts({ setup: "sh a.sh" });
  write("a.sh", "echo one\n");
  await trustNow(1);
  await pruneTrustedContents(home, { isOld: () => true });
  expect(kept()).toEqual(["echo one\n"]);
  trust.revoke(project.id, "scripts");
  write("a.sh", "echo two\n");
  await trustNow(2);
  await pruneTrustedContents(home, { isOld: () => false });
  expect(kept()).toHaveLength(2);
  await pruneTrustedContents(home, { isOld: () => true });
  expect(kept()).toEqual(["echo two\n"]);
  // an unreadable trust file may refer to anything
  writeFileSync(join(home, "repository-trust.json"), "{");
  await pruneTrustedContents(home, { isOld: () => true });
  expect(kept()).toEqual(["echo two\n"]);
});
