import type { Readable } from "node:stream";
import type { DescribedRequest, JsonValue, RequestPreview, RequestProvider } from "@skein/contracts";
import { ModelError, type ModelRequest, RequestValidationError } from "@skein/engine";
import { readLines } from "../lines/read-lines.ts";
import { describeNextRequest } from "./describe-next-request.ts";
import type { ModelAccess } from "./native-input.ts";
import { previewOrderSchema } from "./preview-input.ts";
import { readHistoryLines, withHistory } from "./read-history-lines.ts";

/** What a request preview needs from its program. */
export interface PreviewProgramOptions {
  /** Converts a request to a provider's format, without sending it. */
  capture(
    modelId: string,
    request: ModelRequest,
    options: { provider: RequestProvider | undefined; access: ModelAccess; directory: string },
  ): Promise<Pick<DescribedRequest, "provider" | "defaultProvider" | "model" | "window"> & { body: JsonValue }>;
  stdin?: Readable;
}

/** Prints the next request of a conversation (`requestPreviewSchema`, then its body). Sends nothing, and starts nothing. */
export async function runPreviewProgram(options: PreviewProgramOptions): Promise<void> {
  const lines = await describe(options).catch((error: unknown) => [toFailure(error)]);
  for (const line of lines) await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));
}

async function describe({ capture, stdin = process.stdin }: PreviewProgramOptions): Promise<[RequestPreview, JsonValue]> {
  const lines = readLines(stdin);
  const order = previewOrderSchema.parse(JSON.parse((await lines.next()).value ?? ""));
  const input = withHistory(order, await readHistoryLines(lines));
  const { request, foresee, ...description } = await describeNextRequest(input);
  const { provider, modelAccess: access, directory } = input;
  const { body, ...captured } = await capture(input.model, request, { provider, access, directory });
  return [{ ok: true, request: { ...description, ...captured, compression: foresee(captured.window) } }, body];
}

function toFailure(error: unknown): RequestPreview {
  if (error instanceof RequestValidationError) {
    const { problem, position, toolCallId } = error;
    const part = {
      ...(position === undefined ? {} : { message: position + 1 }),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
    return { ok: false, problem: { code: `request-${problem}`, ...part } };
  }
  if (error instanceof ModelError) return { ok: false, problem: { code: `model-${error.kind}`, reason: error.text } };
  return { ok: false, problem: { code: "preview-failed", reason: error instanceof Error ? error.message : String(error) } };
}
