import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CliError } from "../cli-error.ts";
import { exitCode } from "../exit-code.ts";

/** Asks for a secret without showing it; in a pipe, reads the first line of standard input. Never taken from an argument, which every user of the machine can read. */
export async function readSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  const isTerminal = stdin.isTTY === true;
  if (isTerminal) stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: isTerminal });
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    for await (const line of lines) return line;
  } finally {
    lines.close();
    if (isTerminal) stderr.write("\n");
  }
  throw new CliError("No password was given.", { exitCode: exitCode.usage });
}
