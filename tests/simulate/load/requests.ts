import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../../support/api-client.ts";
import type { Violations } from "../checks/violations.ts";
import { isReady, type SimulatedServer } from "../cluster/cluster.ts";
import { Samples } from "../measure/samples.ts";
import type { Random } from "../random.mjs";
import type { Governor } from "./governor.ts";

/** Requests of users and programs: at any server, and again at another one while a fault is the reason that it fails. */
export interface Requests {
  readonly reads: Samples;
  readonly writes: Samples;
  readonly retries: number;
  /** Repeats until it is answered; one that takes too long is a violation. Rejects for answers that no fault explains. */
  send<T>(method: string, path: string, body?: unknown): Promise<T>;
}

const timeoutMs = 20_000;
const patienceMs = 180_000;

export function createRequests(
  servers: readonly SimulatedServer[],
  random: Random,
  violations: Violations,
  governor: Pick<Governor, "elapsed">,
): Requests {
  const reads = new Samples();
  const writes = new Samples();
  let retries = 0;
  const choose = (): SimulatedServer => {
    const usable = servers.filter(({ process }) => process.isRunning && !process.isPaused);
    return random.pick(usable.length > 0 ? usable : servers);
  };
  return {
    reads,
    writes,
    get retries() {
      return retries;
    },
    async send<T>(method: string, path: string, body?: unknown) {
      for (let until = governor.elapsed() + patienceMs; ; ) {
        const server = choose();
        const startedAt = performance.now();
        try {
          const answer = await withTimeout(server.api.request<T>(method, path, body));
          (method === "GET" ? reads : writes).add(performance.now() - startedAt);
          return answer;
        } catch (error) {
          if (error instanceof ApiError && !isTransient(error)) {
            violations.add("requests are answered", `${method} ${path} at ${server.name}: ${error.message} ${JSON.stringify(body ?? "")}`);
            throw error;
          }
          if (governor.elapsed() > until) {
            const states = await Promise.all(servers.map(async (one) => `${one.name} ${(await isReady(one)) ? "ready" : "not ready"}`));
            violations.add("requests are answered", `${method} ${path} for ${patienceMs / 1000} s; ${error}; ${states.join(", ")}`);
            // it may have been carried out without an answer: only its repetition can tell
            until = Number.POSITIVE_INFINITY;
          }
          retries++;
          await wait(200 + random.number() * 400);
        }
      }
    },
  };
}

/** 503: the server, another one, the database or a worker cannot be reached at the moment. */
const isTransient = ({ status }: ApiError): boolean => status === 503 || status === 502 || status === 504;

async function withTimeout<T>(request: Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: timeout.signal }).then(() => Promise.reject(new Error("no answer")));
  late.catch(() => {});
  try {
    return await Promise.race([request, late]);
  } finally {
    timeout.abort();
  }
}
