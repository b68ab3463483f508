import { locateProgram } from "@skein/agents/locate-program";
import { startDetached } from "../runner/start-runner.ts";
import type { TerminalOrder } from "./terminal-folder.ts";

const program = locateProgram(new URL("./terminal-program.ts", import.meta.url));

/** Starts the process of a terminal, which outlives this one. Rejects if its program cannot start. */
export const startTerminal = (order: TerminalOrder): Promise<void> => startDetached(program, order);
