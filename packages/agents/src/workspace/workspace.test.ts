import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openWorkspace, type Workspace, WorkspaceError } from "./workspace.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

let base: string;
let workspace: Workspace;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "skein-workspace-")));
  await mkdir(join(base, "ws/sub"), { recursive: true });
  await mkdir(join(base, "ws-evil"));
  await writeFile(join(base, "ws-evil/secret"), "secret");
  await writeFile(join(base, "ws/inside.txt"), "inside");
  workspace = await openWorkspace(join(base, "ws"));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const isGone = (error: unknown) => error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "ELOOP"].includes(String(error.code));

const write = async (path: string, content = "x") =>
  writeFileAtomically(workspace, await workspace.resolve(path), Buffer.from(content), 0o644);

describe("resolving", () => {
  test.each(["../ws-evil/secret", "sub/../../ws-evil/secret", "..", "/etc/passwd", "../ws-evil", "nothing/../../ws-evil/new"])(
    "[X10] %s stays out",
    async (path) => {
      await expect(workspace.resolve(path)).rejects.toThrow(/outside of the working folder/);
    },
  );

  test("[X10] an absolute sibling whose name begins like the root's stays out", async () => {
    await expect(workspace.resolve(join(base, "ws-evil/secret"))).rejects.toThrow(WorkspaceError);
  });

  test("[X10] symlinks out stay out: to a file, to a folder, to nothing, in a circle, through a link inside", async () => {
    await symlink(join(base, "ws-evil/secret"), join(base, "ws/file-link"));
    await symlink("../ws-evil", join(base, "ws/folder-link"));
    await symlink(join(base, "ws-evil/not-yet"), join(base, "ws/dangling"));
    await symlink("circle", join(base, "ws/circle"));
    await symlink("folder-link", join(base, "ws/second-link"));
    for (const path of ["file-link", "folder-link/secret", "folder-link/new", "dangling", "dangling/x", "circle", "second-link/secret"]) {
      await expect(workspace.resolve(path), path).rejects.toThrow(WorkspaceError);
    }
  });

  test("paths inside are returned relative to the root, links inside by what they lead to", async () => {
    await symlink("sub", join(base, "ws/link"));
    expect(await workspace.resolve("./sub//../inside.txt")).toMatchObject({ relative: "inside.txt", exists: true });
    expect(await workspace.resolve(join(base, "ws/inside.txt"))).toMatchObject({ relative: "inside.txt" });
    expect(await workspace.resolve("link/new/file")).toMatchObject({ relative: "sub/new/file", exists: false });
    expect(await workspace.resolve(".")).toMatchObject({ relative: ".", exists: true });
    expect(await workspace.resolve("..name")).toMatchObject({ relative: "..name" });
  });

  test("a root that is reached through a symlink is known by its real path", async () => {
    await symlink(join(base, "ws"), join(base, "alias"));
    const through = await openWorkspace(join(base, "alias"));
    expect(await through.resolve(join(base, "alias/inside.txt"))).toMatchObject({ relative: "inside.txt" });
  });

  test("NUL and a file used as a folder are rejected with a message", async () => {
    await expect(workspace.resolve("a\0b")).rejects.toThrow(/NUL/);
    await expect(workspace.resolve("inside.txt/x")).rejects.toThrow(WorkspaceError);
  });

  test("[X10] git's own files and agents' settings are known as protected, whatever the case and whichever way", async () => {
    await mkdir(join(base, "ws/.git/hooks"), { recursive: true });
    await symlink(".git", join(base, "ws/innocent"));
    for (const path of [
      ".git/hooks/pre-commit",
      ".git/config",
      ".git",
      ".GIT/config",
      "sub/.git",
      "innocent/config",
      ".claude/settings.json",
      ".claude/settings.local.json",
      ".mcp.json",
      "sub/.mcp.json",
      ".codex/config.toml",
      ".claude/agents/x.md",
      ".claude/commands/deploy/x.md",
      ".claude/skills/x/run.sh",
      ".CLAUDE/Skills/x/SKILL.md",
      "packages/a/.claude/agents/x.md",
      ".agents/skills/x/SKILL.md",
      "sub/.agents",
      ".vscode/tasks.json",
      ".vscode/settings.json",
      "packages/a/.vscode/Tasks.json",
      ".envrc",
      "sub/.envrc",
      ".husky/pre-commit",
      "packages/a/.husky/_/husky.sh",
      ".claude/output-styles/x/run.sh",
      ".claude/hooks.json",
      ".cursor/mcp.json",
      ".cursor/hooks/x.sh",
      ".kiro/hooks/x.json",
      ".aider.conf.yml",
      ".vscode/mcp.json",
      "app.code-workspace",
      ".zed/tasks.json",
      ".idea/runConfigurations/x.xml",
      ".devcontainer/devcontainer.json",
      ".devcontainer.json",
      ".nvim.lua",
      "sub/.exrc",
      "mise.toml",
      ".mise.local.toml",
      ".githooks/pre-push",
      "lefthook.yml",
      ".lefthook-local.json",
      ".pre-commit-config.yaml",
      "node_modules/zod/index.js",
      ".yarn/releases/yarn-4.cjs",
      "venv/bin/activate",
      "packages/a/node_modules/.bin/tool",
      ".venv/lib/python3.12/site-packages/x.py",
      // other spellings of the same names on some file systems
      ".git./hooks/pre-commit",
      ".git /config",
      ".g\u200cit/config",
      ".husky../pre-commit",
      ".\uFF45nvrc",
    ]) {
      expect((await workspace.resolve(path)).protection, path).not.toBeNull();
    }
    const ordinary = [
      ".gitignore",
      ".github/workflows/ci.yml",
      "git/config",
      "claude/agents/x.md",
      ".claude/notes.md",
      "agents/x.md",
      "vscode/tasks.json",
      ".vscode/extensions.json",
      "envrc",
      ".env",
      "mise/notes.toml",
      "docs/lefthook.md",
      ".cursor/rules/style.mdc",
      "src/idea/x.ts",
      "husky/pre-commit",
      "inside.txt",
    ];
    for (const path of ordinary) {
      expect((await workspace.resolve(path)).protection, path).toBeNull();
    }
  });
});

describe("paths that are swapped between check and use", () => {
  test("[X10] a file exchanged for a symlink between check and use is not opened", async () => {
    const path = await workspace.resolve("inside.txt");
    await rm(path.absolute);
    await symlink(join(base, "ws-evil/secret"), path.absolute);
    await expect(workspace.openFile(path)).rejects.toThrow(WorkspaceError);
  });

  test("[X10] a folder on the way exchanged for a symlink between check and use is not read through", async () => {
    await writeFile(join(base, "ws/sub/secret"), "mine");
    const path = await workspace.resolve("sub/secret");
    await rename(join(base, "ws/sub"), join(base, "ws/moved"));
    await symlink(join(base, "ws-evil"), join(base, "ws/sub"));
    await expect(workspace.openFile(path)).rejects.toThrow(/outside/);
  });

  test("[X10] a folder exchanged for a symlink between check and use is not written through", async () => {
    const path = await workspace.resolve("sub/secret");
    await rename(join(base, "ws/sub"), join(base, "ws/moved"));
    await symlink(join(base, "ws-evil"), join(base, "ws/sub"));
    await expect(writeFileAtomically(workspace, path, Buffer.from("overwritten"), 0o644)).rejects.toThrow(WorkspaceError);
    expect(await readFile(join(base, "ws-evil/secret"), "utf8")).toBe("secret");
  });

  test("[X10] a folder further up exchanged for a symlink is not written through, and nothing is made behind it", async () => {
    await mkdir(join(base, "ws/sub/inner"));
    await mkdir(join(base, "ws-evil/inner"));
    const existing = await workspace.resolve("sub/inner/file");
    const missing = await workspace.resolve("sub/inner/new/file");
    await rename(join(base, "ws/sub"), join(base, "ws/moved"));
    await symlink(join(base, "ws-evil"), join(base, "ws/sub"));
    for (const path of [existing, missing]) {
      await expect(writeFileAtomically(workspace, path, Buffer.from("x"), 0o644)).rejects.toThrow(/outside/);
    }
    expect(await readdir(join(base, "ws-evil/inner"))).toEqual([]);
  });

  test("[X10] a folder further up exchanged for a symlink to a protected folder of the same workspace is not written through", async () => {
    for (const folder of ["sub/hooks", ".git/hooks", "sub/deep/er"]) await mkdir(join(base, "ws", folder), { recursive: true });
    const existing = await workspace.resolve("sub/hooks/pre-commit");
    const missing = await workspace.resolve("sub/hooks/new/pre-commit");
    expect([existing.protection, missing.protection]).toEqual([null, null]);
    await rename(join(base, "ws/sub"), join(base, "ws/moved"));
    await symlink(".git", join(base, "ws/sub"));
    for (const path of [existing, missing]) {
      await expect(writeFileAtomically(workspace, path, Buffer.from("x"), 0o755)).rejects.toThrow(WorkspaceError);
    }
    expect(await readdir(join(base, "ws/.git/hooks"))).toEqual([]);
  });

  test.each(["linux", "darwin"])(
    "[X10] a second process that swaps a folder all the time gets nothing written or read elsewhere (as on %s)",
    async (platform) => {
      // without /proc, the opened file is compared with the current one
      const real = process.platform;
      Object.defineProperty(process, "platform", { value: platform });
      onTestFinished(() => void Object.defineProperty(process, "platform", { value: real }));
      const targets = [join(base, "ws-evil"), join(base, "ws/.git")];
      for (const folder of [join(base, "ws/sub"), ...targets]) await mkdir(join(folder, "hooks"), { recursive: true });
      await writeFile(join(base, "ws/sub/hooks/file"), "mine");
      for (const target of targets) await writeFile(join(target, "hooks/file"), "secret");
      const swap = `const { renameSync, rmSync, symlinkSync, unlinkSync } = require("node:fs");
        // removing it fails when a file is written into it meanwhile
        const clear = () => { try { rmSync("sub", { recursive: true, force: true }); } catch {} };
        const attempt = (step) => { try { step(); } catch { clear(); } };
        for (let turn = 0; ; turn++) {
          attempt(() => renameSync("sub", "away"));
          attempt(() => symlinkSync(${JSON.stringify(targets)}[turn % 2], "sub"));
          attempt(() => unlinkSync("sub"));
          attempt(() => renameSync("away", "sub"));
          if (turn === 0) console.log("swapping");
          // occasionally left alone, so that a write can succeed on a busy machine
          if (turn % 8 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
        }`;
      const child = spawn(process.execPath, ["-e", swap], { cwd: join(base, "ws"), stdio: ["ignore", "pipe", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      await once(child.stdout, "data");
      const until = Date.now() + 1500;
      const read = new Set<string>();
      let written = 0;
      while (Date.now() < until) {
        try {
          const path = await workspace.resolve("sub/hooks/file");
          if (path.protection !== null) continue;
          const handle = await workspace.openFile(path);
          read.add(await handle.readFile("utf8").finally(() => handle.close()));
          await writeFileAtomically(workspace, path, Buffer.from("mine"), 0o644);
          written += 1;
        } catch (error) {
          // rejected, or gone in the middle of it: anything but elsewhere
          if (!(error instanceof WorkspaceError) && !isGone(error)) throw error;
        }
      }
      expect(child.exitCode).toBeNull();
      child.kill("SIGKILL");
      await once(child, "exit");
      expect([...read]).toEqual(["mine"]);
      expect(written).toBeGreaterThan(0);
      for (const target of targets) {
        expect([await readdir(join(target, "hooks")), await readFile(join(target, "hooks/file"), "utf8")]).toEqual([["file"], "secret"]);
      }
    },
  );

  test("[X10] a file exchanged for a symlink before it is written is replaced, not followed", async () => {
    const path = await workspace.resolve("inside.txt");
    await rm(path.absolute);
    await symlink(join(base, "ws-evil/secret"), path.absolute);
    await writeFileAtomically(workspace, path, Buffer.from("new"), 0o644);
    expect(await readFile(join(base, "ws-evil/secret"), "utf8")).toBe("secret");
    expect(await readFile(path.absolute, "utf8")).toBe("new");
  });

  test.runIf(process.platform === "linux")("[X10] an open folder stays itself after its name was taken over", async () => {
    const directory = await workspace.openDirectory(join(base, "ws/sub"));
    await rename(join(base, "ws/sub"), join(base, "ws/moved"));
    await symlink(join(base, "ws-evil"), join(base, "ws/sub"));
    await writeFile(join(directory.path, "new"), "x");
    await directory.close();
    expect(await readFile(join(base, "ws/moved/new"), "utf8")).toBe("x");
  });
});

describe("writing", () => {
  test("folders that are missing are made", async () => {
    await write("a/b/c.txt", "deep");
    expect(await readFile(join(base, "ws/a/b/c.txt"), "utf8")).toBe("deep");
  });
});

describe("readable folders outside the worktree", () => {
  test("[N3] they can be read and not written, and nothing next to them is allowed", async () => {
    const reading = await openWorkspace(join(base, "ws"), { readable: [join(base, "ws-evil"), join(base, "not-there")] });
    const path = await reading.resolveReadable(join(base, "ws-evil/secret"));
    const handle = await reading.openFile(path);
    expect(await handle.readFile("utf8")).toBe("secret");
    await handle.close();
    await expect(reading.resolve(join(base, "ws-evil/secret"))).rejects.toThrow(/outside/);
    await expect(reading.resolveReadable("/etc/passwd")).rejects.toThrow(/outside/);
  });
});
