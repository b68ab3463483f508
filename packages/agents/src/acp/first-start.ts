import { basename } from "node:path";
import type { NoticeText } from "@skein/contracts";
import type { DriverOrder } from "../driver/driver-order.ts";
import type { DriverRecord } from "../driver/driver-record.ts";

/** Time limit for an agent's first answer. */
const helloPatienceMs = 90_000;
/** For agents that npx or uvx may have to download first: hundreds of megabytes. */
const downloadPatienceMs = 15 * 60_000;
/** For agents that are installed. */
const downloadNoticeMs = 8000;

const launchers: Readonly<Record<string, { failure: RegExp; unreachable: RegExp; unknown: RegExp }>> = {
  npx: {
    failure: /^npm (?:error|ERR!)/m,
    unreachable: /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/,
    unknown: /\b(?:E404|ETARGET)\b/,
  },
  uvx: {
    failure: /^(?:error: |\s*[×✗] )/m,
    unreachable: /Failed to fetch|client error \(Connect\)|dns error|tcp connect error|operation timed out/i,
    unknown: /not found in the package registry|no version of|No solution found/i,
  },
};

type Order = Pick<DriverOrder, "name" | "command">;

export function findHelloPatience(order: Order): number {
  return findLauncher(order) === undefined ? helloPatienceMs : downloadPatienceMs;
}

/** Reports a slow download; the returned function ends the watch. */
export function watchDownload(order: Order, record: (record: DriverRecord) => void): () => void {
  const program = findLauncher(order);
  if (program === undefined) return () => {};
  const text: NoticeText = { code: "agent-downloading", agent: order.name, program };
  const timer = setTimeout(() => record({ type: "notice", text, code: "agent-downloading" }), downloadNoticeMs);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Explains the stderr of npx or uvx; undefined if something else has failed. */
export function explainDownloadFailure(order: Order, errors: string): NoticeText | undefined {
  const program = findLauncher(order);
  const launcher = program === undefined ? undefined : launchers[program];
  if (program === undefined || launcher === undefined || !launcher.failure.test(errors)) return undefined;
  const { name: agent } = order;
  if (launcher.unreachable.test(errors)) return { code: "download-unreachable", agent, program };
  const wanted = order.command.slice(1).find((argument) => !argument.startsWith("-")) ?? agent;
  if (launcher.unknown.test(errors)) return { code: "download-unknown", agent, program, package: wanted };
  const lines = errors.split("\n").map((line) => line.replace(/^(?:npm (?:error|ERR!)|error:)\s*/, ""));
  const said = lines.find((line) => line.trim() !== "" && !/^(?:code|syscall|errno|path|npm warn) /.test(line)) ?? "";
  return { code: "download-failed", agent, program, said };
}

function findLauncher({ command: [program] }: Order): string | undefined {
  const name = basename(program);
  return Object.hasOwn(launchers, name) ? name : undefined;
}
