import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exclusively } from "./exclusively.mjs";
import { explainInstallFailure } from "./explain-install-failure.mjs";
import { SetupError } from "./fail.mjs";
import { findNpm } from "./find-npm.mjs";
import { withProgress } from "./progress.mjs";
import { inRepository } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";

const manifest = inRepository("tests/real-agents/clis/package.json");
const folder = inRepository(".cache/agent-clis");
const stampFile = path.join(folder, ".installed");

/** Installs the real agents, at the versions that the tests are written for, into a folder of the repository. Returns their bin folder. */
export async function ensureAgentClis() {
  const wanted = `${process.platform}-${process.arch} ${readFileSync(manifest, "utf8")}`;
  const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted;
  if (!isCurrent()) {
    await exclusively("agent-clis", async () => {
      if (isCurrent()) return;
      await install();
      writeFileSync(stampFile, wanted);
    });
  }
  return path.join(folder, "node_modules/.bin");
}

async function install() {
  mkdirSync(folder, { recursive: true });
  cpSync(manifest, path.join(folder, "package.json"));
  const { command, args } = findNpm();
  const doing =
    "Installing Claude Code, Codex, Gemini CLI, opencode, Qwen Code, Copilot, pi and two ACP adapters for the tests (2 GB; about two minutes, needs the network)";
  await withProgress({ doing, done: "Installed" }, async () => {
    // Exact versions, so the cool-down has nothing to protect from; their install scripts are not needed and do not run.
    const flags = [
      "install",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--ignore-scripts",
      "--min-release-age=0",
      "--loglevel=error",
    ];
    const { code, tail } = await runCommand(command, [...args, ...flags], { cwd: folder });
    if (code !== 0) throw new SetupError(explainInstallFailure(tail));
    removeSecondClaude();
  });
}

/** The adapter for Claude bundles its own program (310 MB). The tests make it use the one that is installed anyway. */
function removeSecondClaude() {
  const packages = path.join(folder, "node_modules/@anthropic-ai");
  for (const name of readdirSync(packages)) {
    if (name.startsWith("claude-agent-sdk-")) rmSync(path.join(packages, name), { recursive: true });
  }
}
