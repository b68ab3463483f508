import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildProject } from "@skein/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { readAgentSettings } from "./read-agent-settings.ts";
import { readProjectScripts } from "./read-project-scripts.ts";
import { openRepositoryTrust } from "./repository-trust.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "skein-trust-"));
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
const writeScripts = (value: unknown) => write(".skein/project.json", JSON.stringify(value));

describe("a repository's scripts", () => {
  test("no file, no scripts", async () => {
    expect(await readProjectScripts(folder)).toEqual({ kind: "none" });
  });

  test.each([
    ["broken JSON", "{", "it is not valid JSON."],
    ["an unknown field", '{"setup":"x","install":"y"}', 'it: Unrecognized key: "install".'],
    ["an empty script", '{"setup":" "}', "setup: must not be empty."],
    ["a path that leads out", '{"copy":["a/../../b"]}', "copy.0: must stay inside the repository."],
    ["an absolute path", '{"copy":["/etc/passwd"]}', "copy.0: must stay inside the repository."],
    ["a script without end", JSON.stringify({ setup: "x".repeat(30_000) }), "setup: Too big: expected string to have <=20000 characters."],
  ])("%s cannot be used, and says why", async (_name, text, why) => {
    write(".skein/project.json", text);
    expect(await readProjectScripts(folder)).toEqual({ kind: "unusable", problem: `.skein/project.json cannot be used: ${why}` });
  });

  test("[X8] the hash is bound to what it says, not to how it is written", async () => {
    const hash = async () => ((await readProjectScripts(folder)) as { hash: string }).hash;
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

describe("settings of agents in a repository", () => {
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
    const { files, hash } = await readAgentSettings(folder);
    expect(files).toEqual([
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
    expect((await readAgentSettings(folder)).hash).not.toBe(hash);
  });

  test("[X8] count when there are none, or when they are trusted as they are; a link is never trusted", async () => {
    const project = buildProject({ path: folder });
    const trust = openRepositoryTrust(join(mkdtempSync(join(tmpdir(), "skein-home-")), "trust.json"));
    const counts = async () => (await trust.judgeAgentSettings(project, folder)).areTrusted;
    expect(await counts()).toBe(true);
    write(".claude/settings.json", "{}");
    expect(await counts()).toBe(false);
    write(".claude/settings.local.json", "{}");
    const { hash, hashes: files } = await readAgentSettings(folder);
    trust.file.put({ projectId: project.id, kind: "agent-settings", hash: hash ?? "", files, trustedAt: 1 });
    expect(await counts()).toBe(true);
    // a worktree has what git has
    rmSync(join(folder, ".claude/settings.local.json"));
    expect([await counts(), (await trust.readAgentSettings(project, folder)).trust]).toEqual([true, "changed"]);
    write(".mcp.json", "{}");
    expect(await counts()).toBe(false);
    rmSync(join(folder, ".mcp.json"));
    write(".claude/settings.json", '{"hooks":{}}');
    expect([await counts(), (await trust.readAgentSettings(project, folder)).trust]).toEqual([false, "changed"]);
    rmSync(join(folder, ".claude"), { recursive: true });
    const elsewhere = mkdtempSync(join(tmpdir(), "skein-elsewhere-"));
    symlinkSync(elsewhere, join(folder, ".claude"));
    expect([await counts(), (await readAgentSettings(folder)).problem]).toEqual([
      false,
      ".claude is a link, and what it leads to cannot be trusted.",
    ]);
  });

  test("what was trusted and is gone again leaves nothing to look at", async () => {
    const project = buildProject({ path: folder });
    const trust = openRepositoryTrust(join(mkdtempSync(join(tmpdir(), "skein-home-")), "trust.json"));
    for (const kind of ["scripts", "agent-settings"] as const)
      trust.file.put({ projectId: project.id, kind, hash: "a".repeat(64), trustedAt: 1 });
    expect(await trust.readScripts(project)).toEqual({ read: { kind: "none" }, trust: "none" });
    expect((await trust.readAgentSettings(project, folder)).trust).toBe("none");
    writeScripts({ setup: "x" });
    write(".mcp.json", "{}");
    expect([(await trust.readScripts(project)).trust, (await trust.readAgentSettings(project, folder)).trust]).toEqual([
      "changed",
      "changed",
    ]);
  });

  test("[Q16] when what is trusted cannot be read, nothing is", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "skein-home-")), "trust.json");
    writeFileSync(path, "{broken", { mode: 0o600 });
    write(".mcp.json", "{}");
    const project = buildProject({ path: folder });
    expect(await openRepositoryTrust(path).judgeAgentSettings(project, folder)).toEqual({ areTrusted: false, files: [".mcp.json"] });
    writeScripts({ setup: "x" });
    await expect(openRepositoryTrust(path).readScripts(project)).rejects.toThrow(
      /so that nothing that a repository brings along is trusted. Delete it/,
    );
  });
});
