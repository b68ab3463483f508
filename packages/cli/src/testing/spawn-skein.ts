import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { skeinProgram } from "./skein-program.ts";

export interface SkeinProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when standard output matches; rejects when the process ended without it. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** A temporary data dir, a temporary repository and the `skein` command. */
export interface Sandbox extends AsyncDisposable {
  home: string;
  repository: string;
  skein(args: string[], options?: { input?: string; environment?: Record<string, string> }): SkeinProcess;
  /** Writes a script for the native agent and returns its model id. */
  script(steps: unknown[]): string;
}

export function createSandbox(): Sandbox {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "skein-cli-")));
  const home = path.join(root, "home");
  const repository = path.join(root, "repository");
  createRepository(repository);
  const running = new Set<SkeinProcess>();
  let scripts = 0;
  return {
    home,
    repository,
    skein(args, options) {
      const started = start(args, { home, root, input: options?.input, environment: options?.environment ?? {} });
      running.add(started);
      void started.ended.then(() => running.delete(started));
      return started;
    },
    script(steps) {
      const file = path.join(root, `script-${++scripts}.json`);
      writeFileSync(file, JSON.stringify({ steps }));
      return `scripted/${file}`;
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of running) child.kill("SIGKILL");
      await Promise.all([...running].map(({ ended }) => ended));
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Independent of the machine's git settings: it may have no user and no default branch. */
function createRepository(directory: string): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", directory]);
  writeFileSync(path.join(directory, "README.md"), "# Sample\n");
  execFileSync("git", ["-C", directory, "add", "."]);
  execFileSync("git", ["-C", directory, ...identity, "commit", "--quiet", "--message=start"]);
}

interface StartOptions {
  home: string;
  root: string;
  input: string | undefined;
  environment: Record<string, string>;
}

function start(args: string[], { home, root, input, environment }: StartOptions): SkeinProcess {
  const env = { ...environment, PATH: process.env.PATH, HOME: root, SKEIN_HOME: home, SKEIN_NO_OPEN: "1", SKEIN_SCRIPTED_MODELS: "1" };
  const child = spawn(process.execPath, [skeinProgram, ...args], { env, cwd: root, stdio: ["pipe", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  const wakeUps = new Set<() => void>();
  const wake = () => {
    for (const wakeUp of wakeUps) wakeUp();
  };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  child.stdin.end(input ?? "");
  const ended = once(child, "close").then(() => ({ code: child.exitCode, stdout, stderr }));
  const printed = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = stdout.match(pattern);
        if (match === null) return;
        wakeUps.delete(look);
        resolve(match);
      };
      wakeUps.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without printing ${pattern}:\n${stdout}\n${stderr}`)));
    });
  return { child, stdout: () => stdout, stderr: () => stderr, printed, ended };
}
