import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { type RequestPreview, requestPreviewSchema } from "@skein/contracts";
import type { AgentLaunch } from "@skein/engine";
import { ServiceError } from "./service-error.ts";

const withinMs = 30_000;

/**
 * Runs a program that prints a preview, and ends it if it takes too long.
 * @throws ServiceError when it prints none.
 */
export async function runPreview({ program, args, cwd, environment, stdin }: AgentLaunch): Promise<RequestPreview> {
  const child = spawn(program, args, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"], timeout: withinMs, killSignal: "SIGKILL" });
  child.stdin.on("error", () => {}); // it ended before it had read everything: its output tells why
  child.stdin.end(stdin);
  const failed = new Promise<never>((_resolve, reject) => child.once("error", reject));
  try {
    const [output, errors] = await Promise.race([Promise.all([text(child.stdout), text(child.stderr)]), failed]);
    if (output !== "") return requestPreviewSchema.parse(JSON.parse(output));
    throw new Error(errors.trim() === "" ? `It ended without an answer within ${withinMs / 1000} seconds.` : errors.trim());
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The next request could not be built. Check that the folder ${cwd} is still there. (${reason.slice(0, 500)})`;
    throw new ServiceError("unavailable", "preview-failed", message, { cause });
  }
}
