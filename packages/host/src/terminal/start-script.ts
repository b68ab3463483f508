import { runScript } from "../runner/run-script.ts";
import type { RunningProgram } from "./running-program.ts";
import type { TerminalOrder } from "./terminal-folder.ts";

/** Runs a script that the user trusts, such as a dev server, without input. */
export async function startScript(
  { id, cwd, environment, sandbox }: TerminalOrder,
  script: string,
  onOutput: (chunk: Uint8Array) => void,
): Promise<RunningProgram> {
  const confined = sandbox && { order: sandbox, start: (await import("@skein/agents/sandbox")).startSandboxed };
  const order = { script, cwd, environment, timeoutMs: null, marker: id, ...(confined === undefined ? {} : { sandbox: confined }) };
  const running = runScript(order, (_stream, text) => onOutput(Buffer.from(text)));
  return {
    ended: running.ended,
    write() {},
    resize() {},
    pause: () => running.sources.forEach((source) => void source.pause()),
    resume: () => running.sources.forEach((source) => void source.resume()),
    async close() {
      running.stop();
      await running.ended;
    },
  };
}
