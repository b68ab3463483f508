import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { JsonValue, MessageEntity } from "@skein/contracts";
import { createFolderInstructions } from "../instructions/folder-instructions.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { BackgroundJobs } from "./background-jobs.ts";
import { createNativeTools } from "./create-native-tools.ts";
import type { NativeTool, ToolOutcome, ToolRun } from "./tool.ts";

/** A real git repository in a temporary folder with the tools confined to it, for tests. */
export interface ToolFixture {
  root: string;
  spillDirectory: string;
  workspace: Workspace;
  tools: NativeTool[];
  jobs: BackgroundJobs;
  call(name: string, input: JsonValue, run?: Partial<ToolRun>): Promise<ToolOutcome>;
  remove(): Promise<void>;
}

export async function createToolFixture(files: Record<string, string> = {}, history: MessageEntity[] = []): Promise<ToolFixture> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "skein-tools-")));
  const root = join(base, "repo");
  const spillDirectory = join(base, "spill");
  await mkdir(root);
  await promisify(execFile)("git", ["init", "-q", root]);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const workspace = await openWorkspace(root, { readable: [spillDirectory] });
  const environment = { PATH: process.env.PATH ?? "", HOME: base, LANG: "C.UTF-8" };
  const jobs = new BackgroundJobs();
  const folderInstructions = createFolderInstructions(workspace);
  const shared = { workspace, environment, spillDirectory, jobs, folderInstructions, sandbox: undefined, allowPrivateAddresses: true };
  const tools = createNativeTools(shared, history);
  return {
    root,
    spillDirectory,
    workspace,
    tools,
    jobs,
    async call(name, input, run = {}) {
      const prepared = tools.find((tool) => tool.definition.name === name)?.prepare(input);
      if (prepared === undefined) throw new Error(`There is no tool ${name}`);
      if (!prepared.ok) return { output: prepared.error, state: "failed" };
      const signal = run.signal ?? new AbortController().signal;
      return prepared.call.run({ toolUseId: "call_1", onProgress() {}, protectedAllowed: false, ...run, signal });
    },
    async remove() {
      await jobs.endAll();
      await rm(base, { recursive: true, force: true });
    },
  };
}
