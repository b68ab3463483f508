import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type RequestPreview, requestPreviewSchema } from "@skein/contracts";
import { type PreviewLaunch, ServiceError } from "@skein/engine";

const withinMs = 30_000;

/**
 * Runs a program that prints a preview, and kills it after a time limit. `body` is the JSON text of the request body as printed: it
 * may be very long and is not parsed.
 * @throws ServiceError if the program fails
 */
export async function runPreview(launch: PreviewLaunch): Promise<{ preview: RequestPreview; body: Uint8Array }> {
  const { program, args, cwd, environment, stdin } = launch;
  const child = spawn(program, args, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"], timeout: withinMs, killSignal: "SIGKILL" });
  const failed = new Promise<never>((_resolve, reject) => child.once("error", reject));
  // it exited before reading its input: its output has the reason
  pipeline(Readable.from(stdin), child.stdin).catch(() => {});
  try {
    const [output, errors] = await Promise.race([Promise.all([buffer(child.stdout), text(child.stderr)]), failed]);
    const end = output.indexOf("\n");
    if (end !== -1) {
      const preview = requestPreviewSchema.parse(JSON.parse(output.toString("utf8", 0, end)));
      if (!preview.ok || output.at(-1) === 0x0a) return { preview, body: output.subarray(end + 1) };
    }
    throw new Error(errors.trim() === "" ? `It ended without an answer within ${withinMs / 1000} seconds.` : errors.trim());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError("unavailable", { code: "preview-failed", directory: cwd, reason: reason.slice(0, 500) }, { cause });
  }
}
