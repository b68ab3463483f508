import { sep } from "node:path";
import type { FoundSession, OpenSource } from "@skein/agents/session-sources";
import type { ImportableSession, ImportedSession, ImportProblem, ImportSource, ImportState, TaskId } from "@skein/contracts";
import { toTaskTitle } from "@skein/engine";
import type { ImportContext } from "./import-context.ts";
import type { SessionFolder, SessionFolders } from "./session-folders.ts";

/** A session, and what an earlier import stored of it. */
export interface KnownSession {
  session: FoundSession;
  folder: SessionFolder;
  known: ImportedSession | undefined;
  state: ImportState;
  taskId: TaskId | null;
}

/** The sessions of an open source, newest first, each compared with the database. */
export async function findSessions(
  context: ImportContext,
  { source, open, folders }: { source: ImportSource; open: OpenSource; folders: SessionFolders },
): Promise<{ places: string[]; sessions: KnownSession[]; problems: ImportProblem[] }> {
  const found = await open.find();
  const { read } = context.storage;
  const imported = new Map((await read.listImportedSessions({ source })).map((row) => [row.sessionId, row]));
  const attempts = await read.listAttemptSessions();
  const byAttempt = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  const bySession = new Map(attempts.map((attempt) => [`${attempt.agent} ${attempt.sessionId}`, attempt]));
  const sessions: KnownSession[] = [];
  for (const session of found.sessions.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1))) {
    // of an attempt that was deleted, or that is about to confirm its session
    if (session.directory?.startsWith(`${context.home}${sep}`)) continue;
    const known = imported.get(session.id);
    const attempt = known === undefined ? undefined : (byAttempt.get(known.attemptId) ?? (await findAttempt(context, known)));
    const own = bySession.get(`${session.agent} ${session.agentSessionId}`);
    const state = toState({ session, known, executions: attempt?.executions, isOwn: own !== undefined });
    const folder = await folders.find(session.directory);
    sessions.push({ session, folder, known, state, taskId: attempt?.taskId ?? (known === undefined ? (own?.taskId ?? null) : null) });
  }
  return { places: found.places, sessions, problems: found.problems };
}

/** For a session that cannot be resumed. */
async function findAttempt({ storage }: ImportContext, { attemptId }: ImportedSession) {
  const attempt = await storage.read.findAttempt({ id: attemptId });
  if (attempt === undefined) return undefined;
  return { taskId: attempt.taskId, executions: (await storage.read.listExecutionIds({ attemptId })).length };
}

function toState(input: {
  session: FoundSession;
  known: ImportedSession | undefined;
  executions: number | undefined;
  isOwn: boolean;
}): ImportState {
  const { session, known, executions } = input;
  if (known === undefined) return input.isOwn ? "in-skein" : "new";
  if (executions === undefined) return "deleted";
  if (executions > known.turns) return "continued";
  return known.fingerprint === session.fingerprint ? "imported" : "changed";
}

/** A session as clients see it. */
export function toImportable({ session, folder, state, taskId }: KnownSession): ImportableSession {
  const { id, agent, title, directory, startedAt, updatedAt, bytes } = session;
  return {
    ...{ id, agent, title: toTaskTitle(title ?? "") || "Untitled", directory, startedAt, updatedAt, bytes, state, taskId },
    folder: folder.state,
    repository: folder.state === "repository" ? folder.path : null,
  };
}
