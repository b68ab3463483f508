import { join } from "node:path";
import { type SessionSource, sessionSources } from "@skein/agents/session-sources";
import {
  findStorageFault,
  type ImportProblem,
  type ImportRun,
  type ImportSourceInfo,
  type ProjectId,
  type StartImport,
} from "@skein/contracts";
import { type ReceivedFile, receiveFile } from "../data-dir/received-file.ts";
import { checkExportedFile, type ExportedHead } from "./exported-file.ts";
import { findSessions, type KnownSession, toImportable } from "./find-sessions.ts";
import type { ImportContext } from "./import-context.ts";
import { getTargetProject, importExported } from "./import-exported.ts";
import { createSessionFolders } from "./session-folders.ts";
import { importSession } from "./session-import.ts";

const sliceMs = 8;
const maxProblems = 200;

/** Yields to other work after 8 ms. */
function createPause(signal?: AbortSignal): () => Promise<void> | undefined {
  let until = performance.now() + sliceMs;
  return () => {
    if (performance.now() < until) return undefined;
    return new Promise((resolve, reject) =>
      setImmediate(() => {
        until = performance.now() + sliceMs;
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      }),
    );
  };
}

const toScratch = ({ home }: ImportContext): string => join(home, "imports");

function openSource(context: ImportContext, source: SessionSource, signal?: AbortSignal) {
  return source.open({ environment: process.env, scratch: toScratch(context), pause: createPause(signal) });
}

/** What was found of each program. One that fails does not affect the others. */
export async function listSources(context: ImportContext): Promise<ImportSourceInfo[]> {
  const folders = createSessionFolders(context);
  const infos: ImportSourceInfo[] = [];
  for (const source of sessionSources) {
    const { id, name } = source;
    await using open = openSource(context, source);
    const { places, sessions, problems } = await findSessions(context, { source: id, open, folders });
    infos.push({ source: id, name, places, sessions: sessions.map(toImportable), problems: problems.slice(0, maxProblems) });
  }
  return infos;
}

/** The folders in which new sessions appear, by program. */
export function listWatchedPlaces(): { source: SessionSource["id"]; places: string[] }[] {
  return sessionSources.map((source) => ({ source: source.id, places: source.listPlaces(process.env) }));
}

/** Does the work of one import. Never rejects: what failed is in `run`. */
async function keepRun(
  context: ImportContext,
  { run, signal }: { run: ImportRun; signal: AbortSignal },
  work: (addProblem: (problem: ImportProblem) => void) => Promise<void>,
): Promise<void> {
  const addProblem = (problem: ImportProblem): void => {
    if (run.problems.length < maxProblems) run.problems.push(problem);
    else run.furtherProblems += 1;
  };
  try {
    signal.throwIfAborted();
    await work(addProblem);
    run.state = "done";
  } catch (error) {
    run.state = signal.aborted ? "stopped" : "failed";
    if (signal.aborted) return;
    context.logger.error("an import failed", { source: run.source, error });
    addProblem({ code: "not-saved", file: context.home, detail: error instanceof Error ? error.message : String(error) });
  } finally {
    run.endedAt = context.now();
  }
}

/** Imports sessions, and keeps `run` up to date. Never rejects. */
export async function runImport(
  context: ImportContext,
  { run, input, signal }: { run: ImportRun; input: StartImport; signal: AbortSignal },
): Promise<void> {
  await keepRun(context, { run, signal }, async (addProblem) => {
    const source = sessionSources.find(({ id }) => id === input.source);
    if (source === undefined) throw new Error(`There is no source ${input.source}.`);
    await using open = openSource(context, source, signal);
    const found = await findSessions(context, { source: source.id, open, folders: createSessionFolders(context) });
    for (const problem of found.problems) addProblem(problem);
    const chosen = chooseSessions(found.sessions, input);
    run.unchanged = found.sessions.filter(({ state }) => state === "imported").length;
    run.sessions = chosen.length;
    run.bytes = chosen.reduce((sum, { session }) => sum + session.bytes, 0);
    const present = await context.loadPresentTool?.();
    for (const { session, folder, known, state } of chosen) {
      signal.throwIfAborted();
      try {
        const isDeleted = state === "deleted";
        const result = await importSession({
          ...{ context, source: source.id, open, session, folder, known, isDeleted, present, signal },
          onLine: () => {
            run.lines += 1;
          },
          onMessages: (count) => {
            run.messages += count;
          },
          onProblem: addProblem,
        });
        if (result === "added") run.added += 1;
        else if (result === "updated") run.updated += 1;
      } catch (error) {
        // a full disk concerns every session, and the next import continues here
        if (signal.aborted || findStorageFault(error) !== undefined) throw error;
        context.logger.error("a session could not be imported", { source: source.id, sessionId: session.id, error });
        const detail = error instanceof Error ? error.message : String(error);
        addProblem({ code: "not-saved", file: session.files[0] ?? "", sessionId: session.id.slice(0, 300), detail });
      }
      run.finished += 1;
      run.finishedBytes += session.bytes;
    }
  });
}

/** Stores a file that a client sends, and checks it. Throws a `ServiceError` if it is no exported attempt. */
export async function receiveExported(
  context: ImportContext,
  { projectId, content }: { projectId: ProjectId; content: AsyncIterable<Uint8Array> },
): Promise<ReceivedExport> {
  const file = await receiveFile(content, toScratch(context));
  try {
    await getTargetProject(context.storage.read, projectId);
    return { file, projectId, head: await checkExportedFile({ chunks: file.read(), pause: createPause() }) };
  } catch (error) {
    await file.remove();
    throw error;
  }
}

/** An exported attempt that was received and checked. */
export interface ReceivedExport {
  file: ReceivedFile;
  projectId: ProjectId;
  head: ExportedHead;
}

/** Imports a file that was received, and removes it. Never rejects. */
export async function runFileImport(
  context: ImportContext,
  { run, received, signal }: { run: ImportRun; received: ReceivedExport; signal: AbortSignal },
): Promise<void> {
  await keepRun(context, { run, signal }, async () => {
    run.sessions = 1;
    run.bytes = received.file.bytes;
    await importExported({ context, ...received, run, pause: createPause(signal) });
    run.finished = 1;
    run.finishedBytes = run.bytes;
  });
  await received.file.remove();
}

/** Oldest first, so that their tasks are in the order in which they were begun. */
function chooseSessions(sessions: readonly KnownSession[], { sessions: ids, since = 0 }: StartImport): KnownSession[] {
  const wanted = ids === undefined ? undefined : new Set(ids);
  const chosen = sessions.filter(({ session, state }) => {
    if (session.updatedAt < since) return false;
    if (state === "new" || state === "changed") return wanted?.has(session.id) ?? true;
    return state === "deleted" && wanted?.has(session.id) === true;
  });
  return chosen.toSorted((a, b) => a.session.startedAt - b.session.startedAt || (a.session.id < b.session.id ? -1 : 1));
}
