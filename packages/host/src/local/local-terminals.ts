import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AttemptId,
  attemptIdSchema,
  createId,
  maxTerminals,
  type Terminal,
  type TerminalExit,
  type TerminalId,
  terminalExitSchema,
  terminalIdSchema,
} from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { z } from "zod";
import type { TerminalPlace, TerminalRead, TerminalStart, Terminals } from "../port/terminals.ts";
import { toAgentEnvironment } from "../runner/agent-environment.ts";
import { createControlKeys } from "../runner/control-keys.ts";
import { writeWhole } from "../runner/execution-folder.ts";
import { killExecutionProcesses } from "../runner/process-tree.ts";
import { isRunnerAlive } from "../runner/runner-connection.ts";
import { readRunnerIdentity } from "../runner/runner-files.ts";
import { runnerSocketPath } from "../runner/runner-socket.ts";
import { callTerminal, TerminalGoneError } from "../terminal/call-terminal.ts";
import { findLoginShell } from "../terminal/login-shell.ts";
import { createReservedPorts, isListening } from "../terminal/reserved-ports.ts";
import { startTerminal } from "../terminal/start-terminal.ts";
import { type TerminalFacts, type TerminalFolder, type TerminalOrder, terminalFolder } from "../terminal/terminal-folder.ts";
import type { TerminalRequest } from "../terminal/terminal-protocol.ts";
import { type DataFolders, listNames } from "./data-folders.ts";
import { openSandbox } from "./open-sandbox.ts";

const readBytes = 64 * 1024;
/** Nobody needs a shell that was not looked at and printed nothing for a week. */
const idleMs = 7 * 24 * 60 * 60 * 1000;

const factsSchema = z.object({
  kind: z.enum(["shell", "dev"]),
  number: z.int().positive(),
  startedAt: z.number(),
  sandboxed: z.boolean(),
}) satisfies z.ZodType<TerminalFacts>;
const outputSchema = z.object({ start: z.int().nonnegative(), data: z.string() });

interface Known extends TerminalFacts {
  id: TerminalId;
  folder: TerminalFolder;
}

/** Terminals on this machine. `readSecret`: the secret that control keys are derived from. */
export function createLocalTerminals({ folders, readSecret }: { folders: DataFolders; readSecret(): string }): Terminals {
  const keys = createControlKeys(readSecret);
  const ports = createReservedPorts(join(folders.terminals, "ports"));
  /** Two starts at the same time must not get the same number, or two dev servers. */
  const starting = new Map<AttemptId, Promise<unknown>>();
  /** Those without a process yet: whoever looked at them would take them for lost, and end the process that is just starting. */
  const launching = new Set<TerminalId>();
  const pathOf = (attemptId: AttemptId): string => join(folders.terminals, attemptId);
  const folderOf = ({ attemptId, id }: TerminalPlace): TerminalFolder => terminalFolder(join(pathOf(attemptId), id));

  function oneAfterAnother<T>(attemptId: AttemptId, work: () => Promise<T>): Promise<T> {
    const next = (starting.get(attemptId) ?? Promise.resolve()).then(work, work);
    const settled = next
      .catch(() => {})
      .finally(() => {
        if (starting.get(attemptId) === settled) starting.delete(attemptId);
      });
    starting.set(attemptId, settled);
    return next;
  }

  async function listKnown(attemptId: AttemptId, kind: TerminalFacts["kind"]): Promise<Known[]> {
    const ids = (await listNames(pathOf(attemptId))).flatMap((name) => terminalIdSchema.safeParse(name).data ?? []);
    const known = await Promise.all(
      ids.map(async (id) => {
        if (launching.has(id)) return [];
        const folder = folderOf({ attemptId, id });
        const facts = await readJson(folder.facts, factsSchema);
        return facts?.kind === kind ? [{ ...facts, id, folder }] : [];
      }),
    );
    return known.flat().toSorted((a, b) => a.startedAt - b.startedAt || a.number - b.number);
  }

  /** The exit of a terminal; null while its process lives. One whose process was killed is settled here, with what is left of it. */
  async function findExit(id: TerminalId, folder: TerminalFolder): Promise<TerminalExit | null> {
    const exit = await readJson(folder.exit, terminalExitSchema);
    if (exit !== undefined) return exit;
    const identity = await readRunnerIdentity({ runner: folder.process });
    if (identity !== undefined && isRunnerAlive(identity)) return null;
    const late = await readJson(folder.exit, terminalExitSchema); // written between the two checks
    if (late !== undefined) return late;
    await killExecutionProcesses({ executionId: id });
    const lost: TerminalExit = { exitCode: null, signal: null, endedAt: Date.now(), lost: true };
    if (existsSync(folder.path)) writeWhole(folder.exit, lost);
    return lost;
  }

  /** Undefined if its process is gone. */
  async function call(place: TerminalPlace, request: TerminalRequest): Promise<TerminalRead | undefined> {
    const identity = await readRunnerIdentity({ runner: folderOf(place).process });
    if (identity === undefined || !isRunnerAlive(identity)) return undefined;
    try {
      const { start, data, end, exit } = await callTerminal({ socket: identity.socket, key: keys.keyFor(place.id) }, request);
      return { start, data, end, exit };
    } catch (error) {
      if (error instanceof TerminalGoneError) return undefined;
      throw error;
    }
  }

  /** Output of a terminal that has ended. */
  async function readKept({ attemptId, id }: TerminalPlace, from: number): Promise<TerminalRead> {
    assertKnown({ attemptId, id });
    const folder = folderOf({ attemptId, id });
    const exit = await findExit(id, folder);
    const { start: kept, data } = (await readJson(folder.output, outputSchema)) ?? { start: 0, data: "" };
    const bytes = Buffer.from(data, "base64");
    const start = Math.min(Math.max(from, kept), kept + bytes.length);
    return { start, data: bytes.subarray(start - kept, start - kept + readBytes), end: kept + bytes.length, exit };
  }

  /** A terminal of another attempt is not known here: its processes are found by its id alone. */
  function assertKnown(place: TerminalPlace): void {
    if (!existsSync(folderOf(place).facts)) throw new ServiceError("not-found", { code: "terminal-not-found", id: place.id });
  }

  async function start(
    { attemptId, directory, sandbox }: TerminalStart,
    { facts, environment, run }: { facts: TerminalFacts; environment: Record<string, string>; run: TerminalOrder["run"] },
  ): Promise<TerminalId> {
    if (!existsSync(directory)) throw new ServiceError("conflict", { code: "folder-gone", directory });
    const id = createId("trm", facts.startedAt);
    const folder = folderOf({ attemptId, id });
    const confined =
      sandbox && (await openSandbox({ attemptId, hosts: sandbox.hosts, home: [] }, { folders, cwd: directory, environment })).order;
    launching.add(id);
    try {
      await mkdir(folder.path, { recursive: true, mode: 0o700 });
      writeWhole(folder.facts, facts);
      await startTerminal({
        ...{ id, folder: folder.path, socket: runnerSocketPath(folders.home, id), controlKey: keys.keyFor(id), cwd: directory },
        ...{ environment, run, idleMs, ...(confined === undefined ? {} : { sandbox: confined }) },
      });
      return id;
    } catch (cause) {
      await rm(folder.path, { recursive: true, force: true });
      const reason = toReason(cause);
      throw new ServiceError("unavailable", { code: "terminals-unavailable", reason }, { cause });
    } finally {
      launching.delete(id);
    }
  }

  async function endOne(place: TerminalPlace): Promise<void> {
    const folder = folderOf(place);
    if ((await readJson(folder.exit, terminalExitSchema)) === undefined) {
      await call(place, { type: "close" });
      for (let tries = 0; tries < 100 && (await findExit(place.id, folder)) === null; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    // what the user put into the background when the shell ended
    await killExecutionProcesses({ executionId: place.id });
  }

  const removeOne = async (place: TerminalPlace): Promise<void> => {
    await endOne(place);
    await rm(folderOf(place).path, { recursive: true, force: true });
    await rm(runnerSocketPath(folders.home, place.id), { force: true });
  };

  async function findDevRun(attemptId: AttemptId): Promise<Known | undefined> {
    return (await listKnown(attemptId, "dev")).at(-1);
  }

  async function endAll(attemptId: AttemptId): Promise<void> {
    const all = [...(await listKnown(attemptId, "shell")), ...(await listKnown(attemptId, "dev"))];
    await Promise.all(all.map(({ id }) => endOne({ attemptId, id })));
  }

  return {
    async list({ attemptId }) {
      const known = await listKnown(attemptId, "shell");
      return Promise.all(known.map(async ({ folder, ...facts }) => toTerminal(facts, await findExit(facts.id, folder))));
    },
    open: ({ size, ...input }) =>
      oneAfterAnother(input.attemptId, async () => {
        const known = await listKnown(input.attemptId, "shell");
        if (known.length >= maxTerminals) throw new ServiceError("conflict", { code: "too-many-terminals", limit: maxTerminals });
        const environment = { ...toAgentEnvironment(process.env), COLORTERM: "truecolor", TERM_PROGRAM: "skein", TERM: "xterm-256color" };
        const port = await ports.find(input.attemptId);
        const number = Math.max(0, ...known.map((one) => one.number)) + 1;
        const facts: TerminalFacts = { kind: "shell", number, startedAt: Date.now(), sandboxed: input.sandbox !== undefined };
        const run = { type: "shell" as const, ...findLoginShell(environment), size };
        const all = { ...environment, ...(port === null ? {} : { SKEIN_PORT: String(port) }) };
        return toTerminal({ ...facts, id: await start(input, { facts, environment: all, run }) }, null);
      }),
    async read({ from, waitMs, reader, ...place }) {
      return (await call(place, { type: "read", from, limit: readBytes, waitMs, reader })) ?? readKept(place, from);
    },
    async write({ data, ...place }) {
      assertKnown(place);
      await call(place, { type: "write", data });
    },
    async resize({ size, ...place }) {
      assertKnown(place);
      await call(place, { type: "resize", ...size });
    },
    async close(place) {
      assertKnown(place);
      await removeOne(place);
    },

    startDev: ({ script, environment, ...input }) =>
      oneAfterAnother(input.attemptId, async () => {
        const { attemptId } = input;
        for (const { id } of await listKnown(attemptId, "dev")) await removeOne({ attemptId, id });
        const port = String(await ports.reserve(attemptId));
        const facts: TerminalFacts = { kind: "dev", number: 1, startedAt: Date.now(), sandboxed: input.sandbox !== undefined };
        await start(input, {
          facts,
          environment: { ...environment, SKEIN_PORT: port, PORT: port },
          run: { type: "script", script },
        });
      }),
    stopDev: ({ attemptId }) =>
      oneAfterAnother(attemptId, async () => {
        const run = await findDevRun(attemptId);
        if (run === undefined || (await findExit(run.id, run.folder)) !== null) return;
        await writeFile(run.folder.stopRequested, "", { mode: 0o600 });
        await endOne({ attemptId, id: run.id });
      }),
    async findDev({ attemptId }) {
      const [port, run] = [await ports.find(attemptId), await findDevRun(attemptId)];
      if (run === undefined) return { port, run: null, isListening: false };
      const exit = await findExit(run.id, run.folder);
      return {
        port,
        run: { id: run.id, startedAt: run.startedAt, exit, wasStopped: existsSync(run.folder.stopRequested) },
        isListening: exit === null && port !== null && (await isListening(port)),
      };
    },

    end: ({ attemptId }) => oneAfterAnother(attemptId, () => endAll(attemptId)),
    remove: ({ attemptId }) =>
      oneAfterAnother(attemptId, async () => {
        await endAll(attemptId);
        await rm(pathOf(attemptId), { recursive: true, force: true });
        await ports.release(attemptId);
      }),
    async listAttempts() {
      const ids = (await listNames(folders.terminals)).flatMap((name) => attemptIdSchema.safeParse(name).data ?? []);
      return [...new Set([...ids, ...(await ports.listAttempts())])];
    },
  };
}

function toTerminal({ id, number, startedAt, sandboxed }: Omit<Known, "folder">, exit: TerminalExit | null): Terminal {
  return { id, number, startedAt, sandboxed, exit };
}

function toReason(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const message = inner instanceof Error ? inner.message : String(inner);
  // a package that is not there has no better explanation than its name
  return message.split("\n")[0]?.slice(0, 300) ?? "";
}

/** Undefined for a file that is not there or not valid: any process of this user may have written it. */
async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
