import { randomUUID } from "node:crypto";
import {
  type Attempt,
  type AttemptId,
  type DevServer,
  maxTerminals,
  type Terminal,
  type TerminalId,
  type TerminalList,
  type TerminalOutput,
  type TerminalSize,
} from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { getProjectOf } from "../executions/project-of.ts";
import { findDevScript } from "./find-dev-script.ts";
import { getAttempt } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";

/** A reader's connection ends after this time and is opened again where it ended: until then, rights that were revoked still count. */
const longestMs = 30_000;
const waitMs = 5000;

/** Terminals of attempts, and their dev servers. Rejects with `terminals-off` where they are turned off. */
export interface TerminalService {
  list(id: AttemptId): Promise<TerminalList>;
  open(id: AttemptId, size: TerminalSize): Promise<Terminal>;
  /** Lines of JSON (`TerminalOutput`), from an offset: until the end, or for half a minute. */
  readOutput(id: AttemptId, terminal: TerminalId, options: { from: number; signal: AbortSignal }): AsyncGenerator<string, void>;
  write(id: AttemptId, terminal: TerminalId, data: string): Promise<void>;
  resize(id: AttemptId, terminal: TerminalId, size: TerminalSize): Promise<void>;
  close(id: AttemptId, terminal: TerminalId): Promise<void>;
  findDev(id: AttemptId): Promise<DevServer>;
  /** Starts the project's dev script, or starts it again. Rejects if the user does not trust it. */
  startDev(id: AttemptId): Promise<DevServer>;
  stopDev(id: AttemptId): Promise<DevServer>;
}

export function createTerminalService(context: ServiceContext): TerminalService {
  const { storage, host, repositoryTrust, terminals: settings } = context;

  /** Before anything else is looked at. */
  async function find(id: AttemptId): Promise<Attempt> {
    if (!settings.areOn) throw new ServiceError("forbidden", { code: "terminals-off" });
    return getAttempt(storage.read, id);
  }

  const toStart = ({ id: attemptId, directory, sandbox }: Attempt) => ({
    ...{ attemptId, directory },
    ...(sandbox === "workspace" ? { sandbox: { hosts: [...settings.readHosts()] } } : {}),
  });

  async function describeDev(attempt: Attempt): Promise<DevServer> {
    const { port, run, isListening } = await host.terminals.findDev({ attemptId: attempt.id });
    const facts = { port, startedAt: run?.startedAt ?? null, exit: run?.exit ?? null, run: run?.id ?? null };
    if (run === null) return { ...facts, state: "none", url: null };
    if (run.exit !== null) return { ...facts, state: run.wasStopped ? "stopped" : "exited", url: null };
    // the ports of a worker are not those of the machine that shows the page
    const url = isListening && port !== null && !attempt.hostId ? `http://127.0.0.1:${port}` : null;
    return { ...facts, state: isListening ? "listening" : "starting", url };
  }

  return {
    async list(id) {
      await find(id);
      return { terminals: await host.terminals.list({ attemptId: id }), limit: maxTerminals };
    },
    async open(id, size) {
      const attempt = await find(id);
      return host.terminals.open({ ...toStart(attempt), size });
    },
    async *readOutput(attemptId, id, { from, signal }) {
      await find(attemptId);
      const reader = randomUUID();
      const until = context.now() + longestMs;
      for (let at = from, isFirst = true; !signal.aborted; isFirst = false) {
        // the first line at once: the client knows then that it is connected
        const read = await host.terminals.read({ attemptId, id, from: at, waitMs: isFirst ? 0 : waitMs, reader });
        const { start, data, end, exit } = read;
        yield `${JSON.stringify({ start, data: Buffer.from(data).toString("base64"), end, exit } satisfies TerminalOutput)}\n`;
        at = start + data.length;
        if ((exit !== null && at >= end) || context.now() > until) return;
      }
    },
    async write(attemptId, id, data) {
      await find(attemptId);
      await host.terminals.write({ attemptId, id, data });
    },
    async resize(attemptId, id, size) {
      await find(attemptId);
      await host.terminals.resize({ attemptId, id, size });
    },
    async close(attemptId, id) {
      await find(attemptId);
      await host.terminals.close({ attemptId, id });
    },
    findDev: async (id) => describeDev(await find(id)),
    async startDev(id) {
      const attempt = await find(id);
      // its network is its own: nobody could reach the server
      if (attempt.sandbox === "workspace") throw new ServiceError("conflict", { code: "dev-in-sandbox" });
      const project = await getProjectOf(storage.read, attempt);
      const { script, environment } = await findDevScript({ host, trust: repositoryTrust, project, directory: attempt.directory });
      await host.terminals.startDev({ ...toStart(attempt), script, environment });
      return describeDev(attempt);
    },
    async stopDev(id) {
      const attempt = await find(id);
      await host.terminals.stopDev({ attemptId: id });
      return describeDev(attempt);
    },
  };
}
