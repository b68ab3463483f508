import type { Readable } from "node:stream";
import type { DescribedRequest, RequestPreview, RequestProvider } from "@skein/contracts";
import { ModelError, type ModelRequest, RequestValidationError } from "@skein/engine";
import { readLines } from "../lines/read-lines.ts";
import { describeNextRequest } from "./describe-next-request.ts";
import type { ModelAccess } from "./native-input.ts";
import { previewInputSchema } from "./preview-input.ts";

export interface PreviewProgramOptions {
  /** Puts a request into a provider's format, without sending it. */
  capture(
    modelId: string,
    request: ModelRequest,
    options: { provider: RequestProvider | undefined; access: ModelAccess; directory: string },
  ): Promise<Pick<DescribedRequest, "provider" | "defaultProvider" | "model" | "window" | "body">>;
  stdin?: Readable;
}

/** Prints the next request of a conversation as one line (`requestPreviewSchema`). Sends nothing, and starts nothing. */
export async function runPreviewProgram(options: PreviewProgramOptions): Promise<void> {
  const preview = await describe(options).catch(toFailure);
  await new Promise<void>((resolve) => process.stdout.write(`${JSON.stringify(preview)}\n`, () => resolve()));
}

async function describe({ capture, stdin = process.stdin }: PreviewProgramOptions): Promise<RequestPreview> {
  const input = previewInputSchema.parse(JSON.parse((await readLines(stdin).next()).value ?? ""));
  const { request, ...description } = await describeNextRequest(input);
  const { provider, modelAccess: access, directory } = input;
  return { ok: true, request: { ...description, ...(await capture(input.model, request, { provider, access, directory })) } };
}

function toFailure(error: unknown): RequestPreview {
  if (error instanceof RequestValidationError) {
    const { problem, position, toolCallId } = error;
    const place = [
      ...(position === undefined ? [] : [`message ${position + 1} of the request`]),
      ...(toolCallId === undefined ? [] : [`tool call ${toolCallId}`]),
    ].join(", ");
    return { ok: false, code: `request-${problem}`, message: `${error.message}${place === "" ? "" : ` (${place})`}.` };
  }
  if (error instanceof ModelError) return { ok: false, code: `model-${error.kind}`, message: error.message };
  return { ok: false, code: "preview-failed", message: error instanceof Error ? error.message : String(error) };
}
