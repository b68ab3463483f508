import { stat } from "node:fs/promises";
import { z } from "zod";
import type { Workspace } from "../workspace/workspace.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { describeCommandEnd } from "./command-end.ts";
import { describeCut } from "./keep-output.ts";
import { OutputSpill } from "./output-spill.ts";
import { runCommand } from "./run-command.ts";
import { defineTool, failed, type NativeTool, type ToolEnvironment, type ToolOutcome, type ToolRun } from "./tool.ts";

const shownLength = 16 * 1024;
const defaultTimeoutMs = 120_000;
const maximumTimeoutMs = 600_000;
/** Long enough for a command that cannot start to report it. */
const firstLookMs = 300;

export function createBashTool(tools: ToolEnvironment): NativeTool {
  return defineTool({
    name: "bash",
    access: "command",
    description:
      "Runs a shell command in the working folder. Nothing can be typed into it, and what it leaves running with & ends with it. " +
      `It is stopped after ${defaultTimeoutMs / 1000} seconds unless timeoutMs says otherwise. Long output is cut in its middle. ` +
      "With background it keeps running while you work, until the end of your turn: for servers and watchers. " +
      "For reading, finding and changing files prefer the other tools.",
    schema: z.strictObject({
      command: z.string().min(1).max(100_000),
      workingDirectory: z.string().min(1).max(4096).optional().describe("Folder to run in, relative to the root of the working folder"),
      timeoutMs: z.int().positive().max(maximumTimeoutMs).optional().describe(`At most ${maximumTimeoutMs}`),
      background: z.boolean().optional().describe("Start it and continue; see job_output and job_stop"),
    }),
    getCommand: ({ command, workingDirectory }) => ({ text: command, workingDirectory }),
    async run({ command, workingDirectory = ".", timeoutMs = defaultTimeoutMs, background = false }, run) {
      const cwd = await findFolder(tools.workspace, workingDirectory);
      return background ? startJob(tools, command, cwd, run) : runToEnd(tools, { command, cwd, timeoutMs }, run);
    },
  });
}

async function findFolder(workspace: Workspace, path: string): Promise<string> {
  const folder = await workspace.resolve(path);
  const isFolder = folder.exists && (await stat(folder.absolute)).isDirectory();
  if (!isFolder) throw new WorkspaceError(`${folder.relative} is not a folder to run a command in.`);
  return folder.absolute;
}

async function runToEnd(
  { environment, sandbox, spillDirectory }: ToolEnvironment,
  { command, cwd, timeoutMs }: { command: string; cwd: string; timeoutMs: number },
  { toolUseId, signal, onProgress }: ToolRun,
): Promise<ToolOutcome> {
  const both = new BoundedOutput(shownLength);
  const streams = { stdout: new BoundedOutput(shownLength), stderr: new BoundedOutput(shownLength) };
  const spill = new OutputSpill(spillDirectory, toolUseId, 2 * shownLength);
  const end = await runCommand({
    command,
    cwd,
    environment,
    sandbox,
    timeoutMs,
    signal,
    onOutput(stream, text) {
      if (text === "") return;
      both.append(text);
      streams[stream].append(text);
      spill.append(text);
      onProgress(text);
    },
  });
  spill.close();
  const remark = (leftOut: number) => describeCut(leftOut, spill.isOpen ? spill.path : undefined);
  const { state, exitCode, line } = describeCommandEnd(end, timeoutMs);
  const output = both.toText(remark).replace(/\n$/, "");
  return {
    output: output === "" ? line : `${output}\n${line}`,
    state,
    structured: {
      stdout: streams.stdout.toText(remark),
      stderr: streams.stderr.toText(remark),
      exitCode,
      ...(state === "timed-out" ? { timedOut: true } : {}),
      ...(spill.isOpen ? { outputFile: spill.path } : {}),
    },
  };
}

async function startJob(
  { jobs, environment, sandbox, spillDirectory }: ToolEnvironment,
  command: string,
  cwd: string,
  { toolUseId, signal }: ToolRun,
): Promise<ToolOutcome> {
  const job = jobs.start({ command, cwd, environment, sandbox, spillDirectory, toolUseId });
  if (job === undefined) return failed("Too many jobs run already. Stop one with job_stop first; jobs lists them.");
  await job.wait({ timeoutMs: firstLookMs, signal });
  const stdout = job.takeOutput();
  const end = job.end;
  if (end !== undefined) {
    const { state, exitCode, line } = describeCommandEnd(end);
    return { output: `${stdout}${line}\n${job.id} has ended already.`, state, structured: { stdout, stderr: "", exitCode } };
  }
  return {
    output: `${stdout}[started as ${job.id}; it runs until it ends by itself, job_stop ends it, or your turn is over]`,
    state: "completed",
    structured: { backgroundTaskId: job.id, stdout, stderr: "" },
  };
}
