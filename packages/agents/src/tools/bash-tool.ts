import { z } from "zod";
import { BoundedOutput } from "./bounded-output.ts";
import { OutputSpill } from "./output-spill.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";
import { defineTool, type NativeTool, type ToolEnvironment, type ToolOutcome } from "./tool.ts";

const shownLength = 16 * 1024;
const defaultTimeoutMs = 120_000;
const maximumTimeoutMs = 600_000;

export function createBashTool({ workspace, environment, spillDirectory }: ToolEnvironment): NativeTool {
  return defineTool({
    name: "bash",
    access: "command",
    description:
      "Runs a shell command in the working folder. Nothing can be typed into it, and what it starts in the background ends with it. " +
      `It is stopped after ${defaultTimeoutMs / 1000} seconds unless timeoutMs says otherwise. Long output is cut in its middle. ` +
      "For reading, finding and changing files prefer the other tools.",
    schema: z.strictObject({
      command: z.string().min(1).max(100_000),
      timeoutMs: z.int().positive().max(maximumTimeoutMs).optional().describe(`At most ${maximumTimeoutMs}`),
    }),
    async run({ command, timeoutMs = defaultTimeoutMs }, { toolUseId, signal, onProgress }) {
      const both = new BoundedOutput(shownLength);
      const streams = { stdout: new BoundedOutput(shownLength), stderr: new BoundedOutput(shownLength) };
      const spill = new OutputSpill(spillDirectory, toolUseId, 2 * shownLength);
      const end = await runCommand({
        command,
        cwd: workspace.root,
        environment,
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
      const remark = (leftOut: number) =>
        `[${leftOut} characters left out; ${spill.isOpen ? `the whole output is in ${spill.path}` : "the whole output could not be kept"}]`;
      const { state, exitCode, line } = describeEnd(end, timeoutMs);
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
    },
  });
}

function describeEnd(end: CommandEnd, timeoutMs: number): { state: ToolOutcome["state"]; exitCode: number | null; line: string } {
  switch (end.type) {
    case "exited":
      return { state: end.exitCode === 0 ? "completed" : "failed", exitCode: end.exitCode, line: `[exit code ${end.exitCode}]` };
    case "killed":
      return { state: "failed", exitCode: null, line: `[ended by ${end.signal}]` };
    case "timed-out":
      return { state: "timed-out", exitCode: null, line: `[stopped after ${timeoutMs} ms; it may have done a part of its work]` };
    case "aborted":
      return { state: "interrupted", exitCode: null, line: "[stopped by the person; it may have done a part of its work]" };
    case "not-started":
      return { state: "failed", exitCode: null, line: `[the command could not be started: ${end.reason}]` };
  }
}
