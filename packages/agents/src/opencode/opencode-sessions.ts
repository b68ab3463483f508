import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentId, type ImportProblem, isSessionId } from "@skein/contracts";
import { type CopiedDatabase, copyDatabase } from "../sessions/copy-database.ts";
import { listSessionFiles, pathExists } from "../sessions/list-session-files.ts";
import type { FoundSession, OpenSource, SessionSource, SourceContext, SourceEnvironment } from "../sessions/session-source.ts";
import { type OpencodeStore, openDatabaseStore, openFileStore, type StoredSession } from "./opencode-store.ts";
import { readOpencodeSession } from "./read-opencode-session.ts";

/** opencode's database, and the folder of files that versions before 1.2 used instead. */
export const opencodeSessions: SessionSource = {
  id: "opencode",
  name: "opencode",
  listPlaces: (environment) => [toFolder(environment)],
  open: openOpencode,
};

function toFolder({ XDG_DATA_HOME, HOME = homedir() }: SourceEnvironment): string {
  return join(XDG_DATA_HOME || join(HOME, ".local/share"), "opencode");
}

function openOpencode(context: SourceContext): OpenSource {
  const copies: CopiedDatabase[] = [];
  let opened: Promise<{ stores: OpencodeStore[]; problems: ImportProblem[] }> | undefined;

  async function openStores() {
    const folder = toFolder(context.environment);
    const problems: ImportProblem[] = [];
    const stores: OpencodeStore[] = [];
    const isDatabase = (name: string) => /^opencode(?:-[\w.-]+)?\.db$/.test(name);
    for (const { path } of await listSessionFiles(folder, { depth: 0, matches: isDatabase, problems, pause: context.pause })) {
      const copy = await copyDatabase(path, context.scratch);
      if ("code" in copy) {
        problems.push(copy);
        continue;
      }
      copies.push(copy);
      const store = openDatabaseStore(path, copy.database);
      if (store === undefined) problems.push({ code: "unreadable-database", file: path });
      else stores.push(store);
    }
    const files = join(folder, "storage");
    if (await pathExists(join(files, "session"))) stores.push(openFileStore(files, { problems, pause: context.pause }));
    return { stores, problems };
  }

  const open = () => {
    opened ??= openStores();
    return opened;
  };

  return {
    async find() {
      const { stores, problems } = await open();
      const sessions = new Map<string, FoundSession>();
      for (const store of stores) {
        // the files stay when they are taken over into the database
        for (const session of await listTopSessions(store, problems)) {
          if (!sessions.has(session.id)) sessions.set(session.id, session);
        }
      }
      return { places: stores.map(({ file }) => file), sessions: [...sessions.values()], problems };
    },
    async read(session, { sink, from }) {
      const { stores } = await open();
      const store = stores.find(({ file }) => file === session.files[0]);
      if (store !== undefined) await readOpencodeSession(session.id, { store, sink, from });
    },
    async [Symbol.asyncDispose]() {
      await opened?.catch(() => {});
      for (const copy of copies) await copy[Symbol.asyncDispose]();
    },
  };
}

async function listTopSessions(store: OpencodeStore, problems: ImportProblem[]): Promise<FoundSession[]> {
  try {
    const all = await store.listSessions();
    // a subagent is part of the session that started it
    return all.filter(({ parentId, parts }) => parentId === undefined && parts > 0).map((session) => toFound(session, all, store));
  } catch (error) {
    problems.push({ code: "unreadable-database", file: store.file, detail: error instanceof Error ? error.message : String(error) });
    return [];
  }
}

function toFound(session: StoredSession, all: readonly StoredSession[], { file }: OpencodeStore): FoundSession {
  const { id, title, directory, createdAt, updatedAt } = session;
  const family = all.filter((one) => one === session || one.parentId === id);
  const isUntitled = title === undefined || /^New session - /.test(title);
  return {
    id,
    agent: "opencode" as AgentId,
    agentSessionId: isSessionId(id) ? id : null,
    title: isUntitled ? null : title,
    directory: directory ?? null,
    startedAt: createdAt,
    updatedAt,
    bytes: family.reduce((sum, { bytes }) => sum + bytes, 0),
    fingerprint: family.map((one) => `${one.updatedAt.toString(36)}.${one.parts}.${one.bytes.toString(36)}`).join("-"),
    files: [file],
  };
}
