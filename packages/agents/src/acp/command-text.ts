/** A command's output, without what the agent's own tool adds. */
export interface CommandText {
  text: string;
  /** As stated in the text; undefined if it is not. */
  exitCode?: number | null;
  isAborted?: boolean;
}

const copilotExit = /\n?<shellId: \S{1,40} completed with exit code (-?\d{1,10})>\s*$/;
const piExit = /\n*Command exited with code (\d{1,10})$/;
const piAbort = /\n*Command aborted$/;

/** Parses the three recorded forms: the last line of Copilot and pi, and the report of Qwen Code and Gemini CLI. */
export function readCommandText(text: string, { hasFailed }: { hasFailed: boolean }): CommandText {
  const report = readReport(text);
  if (report !== undefined) return report;
  const copilot = copilotExit.exec(text);
  if (copilot !== null) return { text: text.slice(0, copilot.index), exitCode: Number(copilot[1]) };
  if (text === "(no output)") return { text: "" };
  // pi adds these only to failures: a command that prints the same words and succeeds keeps them
  const tail = hasFailed ? text.slice(-200) : "";
  const exit = piExit.exec(tail);
  if (exit !== null) return { text: toPrinted(text, tail.length - exit.index), exitCode: Number(exit[1]) };
  const abort = piAbort.exec(tail);
  if (abort !== null) return { text: toPrinted(text, tail.length - abort.index), exitCode: null, isAborted: true };
  return { text };
}

function toPrinted(text: string, tailLength: number): string {
  const printed = text.slice(0, text.length - tailLength);
  return printed === "" || printed.endsWith("\n") ? printed : `${printed}\n`;
}

/** `Command: …`, `Directory: …`, `Output: …`, `Error: …`, `Exit Code: …`, each at the start of a line. */
function readReport(text: string): CommandText | undefined {
  if (!text.startsWith("Command: ")) return undefined;
  const output = text.indexOf("\nOutput: ");
  const error = text.lastIndexOf("\nError: ");
  if (output < 0 || error < output || !text.slice(0, output).includes("\nDirectory: ")) return undefined;
  const printed = text.slice(output + "\nOutput: ".length, error);
  const code = /\nExit Code: (-?\d{1,10})\b/.exec(text.slice(error))?.[1];
  return { text: printed === "(empty)" ? "" : printed, ...(code === undefined ? {} : { exitCode: Number(code) }) };
}
