import { setTimeout as wait } from "node:timers/promises";
import type { StorageNodes } from "@skein/engine";
import type { Logger } from "../../logger.ts";
import type { NodeMembership } from "../../nodes/join-nodes.ts";
import type { SessionStore, StoredSession } from "../security/sessions.ts";

const retryMs = 1000;

/** Browser sessions in the database: a browser that one server has signed in is signed in at all of them. */
export async function openSharedSessions(input: {
  nodes: StorageNodes;
  membership: NodeMembership;
  logger: Logger;
}): Promise<SessionStore> {
  const { nodes, logger } = input;
  let known: readonly StoredSession[] = await nodes.listSessions();
  let listener: ((sessions: readonly StoredSession[]) => void) | undefined;
  let reading: Promise<void> | undefined;
  /** Changes of this server that are not stored yet. */
  let writing = 0;

  async function read(): Promise<void> {
    const found = await nodes.listSessions();
    if (writing > 0) return;
    known = found;
    listener?.(known);
  }

  function refresh(): Promise<void> {
    reading ??= read()
      .catch((error: unknown) => logger.warn("the sessions could not be read", { error }))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  async function write(change: () => Promise<void>): Promise<void> {
    writing += 1;
    for (let isFirst = true; ; isFirst = false) {
      try {
        await change();
        break;
      } catch (error) {
        if (isFirst) logger.warn("the sessions could not be stored yet", { error });
        await wait(retryMs, undefined, { ref: false });
      }
    }
    writing -= 1;
  }

  input.membership.onRenewed(() => void refresh());
  return {
    load: () => known,
    save(next) {
      const before = known;
      known = next;
      const isIn = (list: readonly StoredSession[], { cookieHash }: StoredSession) => list.some((one) => one.cookieHash === cookieHash);
      const added = next.filter((session) => !isIn(before, session));
      const ended = before.filter((session) => !isIn(next, session)).map(({ cookieHash }) => cookieHash);
      void write(async () => {
        await nodes.putSessions(added);
        if (ended.length > 0) await nodes.deleteSessions({ cookieHashes: ended });
      });
    },
    refresh,
    onChanged(changed) {
      listener = changed;
    },
  };
}
