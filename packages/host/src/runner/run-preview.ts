import { type RequestPreview, requestPreviewSchema } from "@skein/contracts";
import { type PrinterLaunch, ServiceError } from "@skein/engine";
import { runPrinter } from "./run-printer.ts";

/**
 * Runs a program that prints a preview, and kills it after a time limit. `body` is the JSON text of the request body as printed: it
 * may be very long and is not parsed.
 * @throws ServiceError if the program fails
 */
export async function runPreview(launch: PrinterLaunch): Promise<{ preview: RequestPreview; body: Uint8Array }> {
  try {
    return await runPrinter(launch, { withinMs: 30_000, parse });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError("unavailable", { code: "preview-failed", directory: launch.cwd, reason: reason.slice(0, 500) }, { cause });
  }
}

function parse(printed: Buffer): { preview: RequestPreview; body: Uint8Array } | undefined {
  const end = printed.indexOf("\n");
  if (end === -1) return undefined;
  const preview = requestPreviewSchema.parse(JSON.parse(printed.toString("utf8", 0, end)));
  return !preview.ok || printed.at(-1) === 0x0a ? { preview, body: printed.subarray(end + 1) } : undefined;
}
