import { type QuestionAnswer, questionAnswerSchema } from "@skein/contracts";
import type { PrinterLaunch } from "@skein/engine";
import { runPrinter } from "./run-printer.ts";

/** Longer than the program waits for its model. */
const withinMs = 75_000;

/** Runs a program that asks a model one question, and kills it after a time limit. Never rejects: a failure is the answer's reason. */
export async function runQuestion(launch: PrinterLaunch): Promise<QuestionAnswer> {
  try {
    return await runPrinter(launch, { withinMs, parse });
  } catch (cause) {
    return { ok: false, reason: (cause instanceof Error ? cause.message : String(cause)).slice(0, 500) };
  }
}

function parse(printed: Buffer): QuestionAnswer | undefined {
  return printed.at(-1) === 0x0a ? questionAnswerSchema.parse(JSON.parse(printed.toString("utf8"))) : undefined;
}
