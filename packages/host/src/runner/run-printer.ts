import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { PrinterLaunch } from "@skein/engine";

/**
 * Runs a program of Skein that reads its input, prints an answer and ends. Kills it after a time limit.
 * @param parse reads what was printed; undefined if it is incomplete
 * @throws what the program printed as an error, if there is no complete answer
 */
export async function runPrinter<T>(
  { program, args, cwd, environment, stdin }: PrinterLaunch,
  { withinMs, parse }: { withinMs: number; parse(printed: Buffer): T | undefined },
): Promise<T> {
  const child = spawn(program, args, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"], timeout: withinMs, killSignal: "SIGKILL" });
  const failed = new Promise<never>((_resolve, reject) => child.once("error", reject));
  // it exited before reading its input: its output has the reason
  pipeline(Readable.from(stdin), child.stdin).catch(() => {});
  const [printed, errors] = await Promise.race([Promise.all([buffer(child.stdout), text(child.stderr)]), failed]);
  const answer = parse(printed);
  if (answer !== undefined) return answer;
  throw new Error(errors.trim() === "" ? `It ended without an answer within ${withinMs / 1000} seconds.` : errors.trim());
}
