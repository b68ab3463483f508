import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImagePart } from "@skein/contracts";
import { startAgentProcess } from "../driver/agent-process.ts";
import type { Driver, DriverContext } from "../driver/driver.ts";
import { toSeededMessage } from "../driver/seeded-message.ts";
import { toStartFailure } from "../driver/start-failure.ts";
import { toConfigArgs, toTomlString } from "./codex-config-args.ts";
import { toExecSandbox } from "./codex-permissions.ts";
import { toLostSessionText } from "./open-codex-thread.ts";
import { findThreadUsage } from "./thread-usage.ts";

/** `codex exec --json`, for versions without an app server: no approvals, no steering, no system prompt. */
export const driveExec: Driver = async (context) => {
  const { order, record } = context;
  if (order.permissionMode === "ask") {
    record({ type: "notice", text: { code: "codex-cannot-ask" }, code: "cannot-ask" });
  }
  if (order.systemPrompts.length > 0) {
    record({ type: "notice", text: { code: "codex-without-system-prompt" }, code: "system-prompt-left-out" });
  }
  const images = await writeImages(order.images);
  try {
    const { sessionId } = order;
    if (sessionId !== null) {
      const usage = await findThreadUsage(sessionId, context.environment);
      if (usage !== undefined) record({ type: "usage-before", usage });
      const run = await runExec(context, { message: order.message, images, threadId: sessionId });
      // an unknown thread prints nothing to stdout
      if (run.hasSpoken || run.exitCode === 0 || context.stop.aborted) return run.exitCode;
    }
    const onFirstLine = (): void => {
      if (sessionId !== null) record({ type: "notice", text: toLostSessionText(order.transcript !== null), code: "session-not-found" });
    };
    if (sessionId !== null) record({ type: "usage-before", usage: {} });
    return (await runExec(context, { message: toSeededMessage(order), images, onFirstLine })).exitCode;
  } finally {
    await images.remove();
  }
};

async function runExec(
  context: DriverContext,
  turn: { message: string; images: WrittenImages; threadId?: string; onFirstLine?(): void },
): Promise<{ exitCode: number; hasSpoken: boolean }> {
  const { order, log, record, stop } = context;
  const agent = startAgentProcess(context, { command: order.command, args: toExecArgs(order, turn), directory: order.directory });
  const interrupt = (): void => agent.signal("SIGINT");
  stop.addEventListener("abort", interrupt);
  if (stop.aborted) interrupt();
  agent.write(turn.message);
  agent.closeStdin();
  let hasSpoken = false;
  for await (const line of agent.lines) {
    if (!hasSpoken) turn.onFirstLine?.();
    hasSpoken = true;
    log(line);
  }
  const { exitCode, startError } = await agent.ended;
  stop.removeEventListener("abort", interrupt);
  if (startError !== undefined) record(toStartFailure(order, startError));
  return { exitCode, hasSpoken: hasSpoken || startError !== undefined };
}

/** The prompt is passed by stdin (X7), the model as a TOML string, the thread after `--`: none of them can be read as an option. */
export function toExecArgs(order: DriverContext["order"], turn: { images: Pick<WrittenImages, "paths">; threadId?: string }): string[] {
  return [
    "exec",
    ...turn.images.paths.flatMap((path) => ["-i", path]),
    "--json",
    "--skip-git-repo-check",
    ...["-s", toExecSandbox(order.permissionMode)],
    ...toConfigArgs(order),
    ...(order.model === null ? [] : ["-c", `model=${toTomlString(order.model)}`]),
    ...(turn.threadId === undefined ? [] : ["resume", "--", turn.threadId]),
    "-",
  ];
}

interface WrittenImages {
  paths: readonly string[];
  remove(): Promise<void>;
}

async function writeImages(images: readonly ImagePart[]): Promise<WrittenImages> {
  if (images.length === 0) return { paths: [], remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "skein-images-"));
  const paths = await Promise.all(
    images.map(async ({ mediaType, data }, index) => {
      const path = join(folder, `image-${index + 1}.${/^image\/(\w+)$/.exec(mediaType)?.[1] ?? "png"}`);
      await writeFile(path, Buffer.from(data, "base64"), { mode: 0o600 });
      return path;
    }),
  );
  return { paths, remove: () => rm(folder, { recursive: true, force: true }) };
}
