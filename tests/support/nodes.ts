import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerNode } from "@skein/contracts";
import { expect, vi } from "vitest";
import type { EventStream } from "./event-stream.ts";
import { type RealServer, startRealServer } from "./real-server.ts";

/** Short, so that a test does not wait long for a lost server; long enough for a busy machine. */
export const leaseSeconds = 5;

/** Servers with data dirs of their own that share a database. */
export async function startNodes(
  names: readonly string[],
  options: { databaseUrl: string | ((name: string) => string); giveUpMinutes?: number; environment?: Record<string, string> },
): Promise<RealServer[]> {
  const servers: RealServer[] = [];
  for (const name of names) {
    const url = typeof options.databaseUrl === "string" ? options.databaseUrl : options.databaseUrl(name);
    const giveUp = options.giveUpMinutes === undefined ? {} : { SKEIN_NODE_GIVE_UP_MINUTES: String(options.giveUpMinutes) };
    const own = { SKEIN_DATABASE_URL: url, SKEIN_NODE_NAME: name, SKEIN_NODE_LEASE_SECONDS: String(leaseSeconds), ...giveUp };
    servers.push(await startRealServer({ environment: { ...own, ...options.environment } }));
  }
  return servers;
}

export const listNodes = (server: RealServer): Promise<ServerNode[]> => server.api.request<ServerNode[]>("GET", "/api/nodes");

export async function waitForState(server: RealServer, name: string, state: ServerNode["state"]): Promise<void> {
  const isThere = async () => expect((await listNodes(server)).find((node) => node.name === name)?.state).toBe(state);
  await vi.waitFor(isThere, { timeout: 60_000, interval: 200 });
}

export async function waitForLog(server: RealServer, text: string): Promise<void> {
  const path = join(server.home, "logs", "server.log");
  await vi.waitFor(() => expect(readFileSync(path, "utf8")).toContain(text), { timeout: 60_000, interval: 200 });
}

/** The numbers of committed events, in the order of their arrival. */
export const numbersOf = (stream: EventStream): number[] => stream.seen.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));

/** Committed events came in order, none twice. */
export function expectOrdered(stream: EventStream): void {
  const numbers = numbersOf(stream);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
}
