import type { Readable } from "node:stream";
import { modelIdSchema, type QuestionAnswer } from "@skein/contracts";
import { askOnce, type Model, ModelError } from "@skein/engine";
import { z } from "zod";
import { readLines } from "../lines/read-lines.ts";
import { type ModelAccess, modelAccessSchema } from "./native-input.ts";

/** The only line on the question program's stdin. */
export const questionOrderSchema = z.object({
  model: modelIdSchema,
  modelAccess: modelAccessSchema,
  instructions: z.string(),
  question: z.string(),
});
export type QuestionOrder = z.infer<typeof questionOrderSchema>;

/** What a question to a model needs from its program. */
export interface QuestionProgramOptions {
  createModel(modelId: string, access: ModelAccess): Model | Promise<Model>;
  stdin?: Readable;
}

const withinSeconds = 60;
/** Enough for a model that reasons before it writes a few lines. */
const maxOutputTokens = 8000;

/** Asks a model one question, without tools, and prints its answer (`questionAnswerSchema`). */
export async function runQuestionProgram(options: QuestionProgramOptions): Promise<void> {
  const answer = await ask(options).catch((error: unknown): QuestionAnswer => ({ ok: false, reason: toReason(error) }));
  await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(answer)}\n`, () => resolve()));
  // a connection that is kept alive must not delay the end
  process.exit(0);
}

async function ask({ createModel, stdin = process.stdin }: QuestionProgramOptions): Promise<QuestionAnswer> {
  const order = questionOrderSchema.parse(JSON.parse((await readLines(stdin).next()).value ?? ""));
  const model = await createModel(order.model, order.modelAccess);
  const answer = await askOnce(
    model,
    [
      { role: "system", content: order.instructions },
      { role: "user", content: order.question },
    ],
    { cancel: new AbortController().signal, deadline: AbortSignal.timeout(withinSeconds * 1000), maxOutputTokens },
  );
  if (answer.ok) return { ok: true, text: answer.text };
  const provider = order.model.slice(0, order.model.indexOf("/"));
  switch (answer.reason) {
    case "refused":
      return { ok: false, reason: { code: "model-declined" } };
    case "cut-short":
      return { ok: false, reason: { code: "model-reached-output-limit" } };
    case "timed-out":
      return { ok: false, reason: { code: "provider-answer-stalled", provider, seconds: withinSeconds } };
    case "model-failed":
      return { ok: false, reason: toReason(answer.error) };
    default:
      return { ok: false, reason: { code: "answer-broke-off" } };
  }
}

function toReason(error: unknown): Extract<QuestionAnswer, { ok: false }>["reason"] {
  if (error instanceof ModelError) return error.text;
  return error instanceof Error ? error.message : String(error);
}
