import type { IPty } from "@lydell/node-pty";
import { locateProgram } from "@skein/agents/locate-program";
import { sandboxVariable } from "@skein/agents/sandbox-order";
import { toProgramArgs } from "../program-args.ts";
import { toMarkedCommand } from "../runner/marked-command.ts";
import { processTable } from "../runner/process-table.ts";
import { killExecutionProcesses, signalProcess } from "../runner/process-tree.ts";
import type { RunningProgram } from "./running-program.ts";
import type { TerminalOrder } from "./terminal-folder.ts";

const hangUpMs = 1500;

/** Starts a shell in a pseudo-terminal. Rejects if there is none for this system. */
export async function startShell(
  { id, cwd, environment, sandbox }: TerminalOrder,
  { program, args, size }: Extract<TerminalOrder["run"], { type: "shell" }>,
  onOutput: (chunk: Uint8Array) => void,
): Promise<RunningProgram> {
  const { spawn } = await import("@lydell/node-pty");
  const command = sandbox === undefined ? { program, args } : inSandbox({ program, args });
  const marked = toMarkedCommand({ ...command, executionId: id, cgroup: undefined, cwd, searchPath: environment.PATH });
  const pty = spawn(marked.program, marked.args, {
    ...{ name: "xterm-256color", cols: size.columns, rows: size.rows, cwd },
    env: { ...environment, ...(sandbox === undefined ? {} : { [sandboxVariable]: JSON.stringify(sandbox) }) },
    encoding: null,
  });
  const root = { pid: pty.pid, startTime: processTable.readStartTime(pty.pid) };
  // without an encoding the data is bytes, whatever the types say
  pty.onData((data) => onOutput(data as unknown as Uint8Array));
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    pty.onExit(({ exitCode, signal }) => resolve(signal ? { exitCode: null, signal: String(signal) } : { exitCode, signal: null }));
  });
  return {
    ended,
    write: (data) => pty.write(data),
    resize: ({ columns, rows }) => resize(pty, columns, rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    async close() {
      // a shell saves its history and ends its jobs
      signalProcess(-pty.pid, "SIGHUP");
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, hangUpMs))]);
      await killExecutionProcesses({ executionId: id, roots: [root] });
    },
  };
}

/** The sandbox needs more than the three descriptors of a terminal: a program in the terminal opens it. */
function inSandbox(command: { program: string; args: readonly string[] }): { program: string; args: string[] } {
  const program = locateProgram(new URL("./sandboxed-shell-program.ts", import.meta.url));
  return { program: process.execPath, args: [...toProgramArgs(program), JSON.stringify(command)] };
}

function resize(pty: IPty, columns: number, rows: number): void {
  try {
    pty.resize(columns, rows);
  } catch {
    // it has just ended
  }
}
