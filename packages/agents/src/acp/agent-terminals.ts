import type { ChildProcess } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { type CreateTerminalRequest, RequestError, type TerminalExitStatus, type TerminalOutputResponse } from "@agentclientprotocol/sdk";
import { arrayField, stringField } from "@skein/engine/json-fields";
import { takeEnd } from "@skein/engine/truncate";
import type { DriverContext } from "../driver/driver.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { signalGroup } from "../programs/signal-group.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";

const maxTerminals = 64;
const maxKeptLength = 1024 * 1024;

/** Commands that Skein runs for an agent. They are part of the execution: its marker is in their environment, and they end with it. */
export interface AgentTerminals {
  create(request: CreateTerminalRequest): Promise<{ terminalId: string }>;
  getOutput(terminalId: string): TerminalOutputResponse;
  waitForExit(terminalId: string): Promise<TerminalExitStatus>;
  kill(terminalId: string): void;
  release(terminalId: string): void;
  releaseAll(): void;
  /** Call for each update: if it names a terminal, the terminal's output is the call's output. */
  see(update: JsonObject, sessionId: string): void;
}

interface Terminal {
  child: ChildProcess;
  output: string;
  truncated: boolean;
  limit: number;
  exit: TerminalExitStatus | undefined;
  exited: Promise<TerminalExitStatus>;
  /** The call that shows it, and the output not reported yet. */
  shownBy: { toolCallId: string; sessionId: string } | undefined;
  unreported: string;
}

type TerminalHost = Pick<DriverContext, "environment" | "startProgram" | "log" | "whenWritable">;

export function createAgentTerminals({ workspace, host }: { workspace: Workspace; host: TerminalHost }): AgentTerminals {
  const terminals = new Map<string, Terminal>();
  let count = 0;

  function getTerminal(id: string): Terminal {
    const terminal = terminals.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(id);
    return terminal;
  }

  function report(terminal: Terminal): void {
    const { shownBy, unreported, exit } = terminal;
    if (shownBy === undefined || (unreported === "" && exit === undefined)) return;
    terminal.unreported = "";
    const meta: JsonObject = {
      ...(unreported === "" ? {} : { terminal_output_delta: { data: unreported } }),
      ...(exit === undefined ? {} : { terminal_exit: exit.exitCode == null ? {} : { exit_code: exit.exitCode } }),
    };
    const update = { sessionUpdate: "tool_call_update", toolCallId: shownBy.toolCallId, _meta: meta };
    host.log(JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: shownBy.sessionId, update } }));
  }

  function append(terminal: Terminal, text: string): void {
    if (text === "") return;
    const whole = terminal.output + text;
    terminal.output = takeEnd(whole, terminal.limit);
    terminal.truncated ||= terminal.output.length < whole.length;
    terminal.unreported = takeEnd(terminal.unreported + text, maxKeptLength);
    report(terminal);
  }

  return {
    async create({ command, args = [], cwd, env = [], outputByteLimit }) {
      if (terminals.size >= maxTerminals)
        throw RequestError.invalidParams(undefined, `More than ${maxTerminals} terminals are open. Release some.`);
      const directory = await resolveDirectory(workspace, cwd);
      const environment = { ...host.environment, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
      const child = host.startProgram({ program: command, args, directory, environment, stdin: "ignore" });
      const { promise: exited, resolve } = Promise.withResolvers<TerminalExitStatus>();
      const limit = Math.min(outputByteLimit ?? maxKeptLength, maxKeptLength);
      const terminal: Terminal = {
        child,
        output: "",
        truncated: false,
        limit,
        exit: undefined,
        exited,
        shownBy: undefined,
        unreported: "",
      };
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue; // it failed to start
        const decoder = new StringDecoder("utf8");
        stream.on("data", (bytes: Buffer) => {
          append(terminal, decoder.write(bytes));
          const writable = host.whenWritable();
          if (writable === undefined) return;
          stream.pause();
          void writable.then(() => stream.resume());
        });
      }
      const end = (status: TerminalExitStatus): void => {
        if (terminal.exit !== undefined) return;
        terminal.exit = status;
        report(terminal);
        resolve(status);
      };
      child.once("close", (exitCode, signal) => end({ exitCode, signal }));
      child.once("exit", (exitCode, signal) => setTimeout(end, 250, { exitCode, signal })); // another process may hold its pipes open
      child.once("error", (error) => {
        append(terminal, `${error.message}\n`);
        end({ exitCode: 127, signal: null });
      });
      const terminalId = `term_${++count}`;
      terminals.set(terminalId, terminal);
      return { terminalId };
    },
    getOutput(id) {
      const { output, truncated, exit } = getTerminal(id);
      return { output, truncated, ...(exit === undefined ? {} : { exitStatus: exit }) };
    },
    waitForExit: (id) => getTerminal(id).exited,
    kill: (id) => killGroup(getTerminal(id)),
    release(id) {
      killGroup(getTerminal(id));
      terminals.delete(id);
    },
    releaseAll() {
      for (const terminal of terminals.values()) killGroup(terminal);
      terminals.clear();
    },
    see(update, sessionId) {
      const toolCallId = stringField(update, "toolCallId");
      if (toolCallId === undefined) return;
      for (const entry of arrayField(update, "content") ?? []) {
        const terminal = stringField(entry, "type") === "terminal" ? terminals.get(stringField(entry, "terminalId") ?? "") : undefined;
        if (terminal === undefined || terminal.shownBy !== undefined) continue;
        terminal.shownBy = { toolCallId, sessionId };
        report(terminal);
      }
    },
  };
}

async function resolveDirectory(workspace: Workspace, cwd: string | null | undefined): Promise<string> {
  if (cwd == null) return workspace.root;
  try {
    return (await workspace.resolve(cwd)).absolute;
  } catch (error) {
    if (error instanceof WorkspaceError) throw RequestError.invalidParams(undefined, error.message);
    throw error;
  }
}

function killGroup({ child, exit }: Terminal): void {
  if (exit === undefined) signalGroup(child.pid, "SIGKILL");
}
