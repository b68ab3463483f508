import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface RpcMessage {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown> & { outcome?: { optionId?: string } };
  error?: object;
}

/** One line of a recording: `toAgent` is what its client sent. */
export interface Exchange {
  toAgent: boolean;
  message: RpcMessage;
}

const folder = join(import.meta.dirname, "../../packages/agents/src/acp/__fixtures__");

export function readAcpRecording(name: string): Exchange[] {
  const lines = readFileSync(join(folder, name), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { dir: string; msg: RpcMessage })
    .map(({ dir, msg }) => ({ toAgent: ["send", "stdin", "client"].includes(dir), message: msg }));
}

/** The lines from the nth request of a kind up to its response; empty if there is no such request. */
export function takeRequest(recording: readonly Exchange[], method: string, nth = 1): Exchange[] {
  const starts = [...recording.entries()].filter(([, { toAgent, message }]) => toAgent && message.method === method);
  const [start, request] = starts[nth - 1] ?? [];
  if (start === undefined || request === undefined) return [];
  const isAnswer = ({ toAgent, message }: Exchange) => !toAgent && message.method === undefined && message.id === request.message.id;
  const end = recording.findIndex((exchange, index) => index > start && isAnswer(exchange));
  return recording.slice(start, end + 1);
}
