import { createHmac } from "node:crypto";
import { createSecret } from "../../browser-secret.ts";

/** A stored browser session, without the secrets themselves. */
export interface StoredSession {
  /** Keyed hash of the cookie's value. */
  cookieHash: string;
  /** Keyed hash of the secret that the page sends in a header. */
  secretHash: string;
  createdAt: number;
  expiresAt: number;
}

/** Stores sessions across restarts of the server. */
export interface SessionStore {
  load(): readonly StoredSession[];
  /** Never throws: retries until the sessions are stored. */
  save(sessions: readonly StoredSession[]): void;
  /** Reads what other servers have stored since. Never rejects. Only for a store that several servers share. */
  refresh?(): Promise<void>;
  /** Called with all sessions when another server has changed them. */
  onChanged?(listener: (sessions: readonly StoredSession[]) => void): void;
}

/** Identifies a session while it is open. */
export type SessionId = string;

export interface Sessions {
  /** Returns the two secrets of a new session, which are not stored. */
  create(): { cookie: string; secret: string; expiresAt: number };
  /** Finds the session that both secrets belong to. A browser may send several cookies of one name, some set by others. */
  find(given: { cookies: readonly string[]; secret: string }): SessionId | undefined;
  isOpen(id: SessionId): boolean;
  /** Looks for a session that another server may have made, if several share them. */
  refresh?(): Promise<void>;
  end(id: SessionId): void;
  endAll(): void;
}

/** Counted from sign-in, not from the last use. */
export const sessionLifetimeMs: number = 30 * 24 * 60 * 60 * 1000;
const maxSessions = 100;

/**
 * A session is two secrets: a cookie, which a browser sends to every port of the host, and a secret that the page stores under its own
 * origin, where pages of other ports cannot read it. Each is worthless without the other. The hashes are keyed, with the token
 * of the data dir, or a secret that several servers share: a new one ends every session.
 */
export function createSessions(options: { key: string; store: SessionStore; now: () => number }): Sessions {
  const { store, now } = options;
  const key = createHmac("sha256", options.key).update("skein browser session").digest();
  const hash = (secret: string) => createHmac("sha256", key).update(secret).digest("base64url");
  let sessions: Map<SessionId, StoredSession> | undefined;

  const open = (): Map<SessionId, StoredSession> => {
    sessions ??= new Map(store.load().map((session) => [session.cookieHash, session]));
    return sessions;
  };
  const isCurrent = (session: StoredSession | undefined): session is StoredSession => session !== undefined && session.expiresAt > now();
  const keep = (next: readonly StoredSession[]) => {
    sessions = new Map(next.map((session) => [session.cookieHash, session]));
    store.save(next);
  };

  store.onChanged?.((changed) => {
    sessions = new Map(changed.map((session) => [session.cookieHash, session]));
  });
  const refresh = store.refresh;

  return {
    ...(refresh === undefined ? {} : { refresh: () => refresh() }),
    create() {
      const [cookie, secret, createdAt] = [createSecret("cookie"), createSecret("session"), now()];
      const expiresAt = createdAt + sessionLifetimeMs;
      const others = [...open().values()].filter(isCurrent).slice(-(maxSessions - 1));
      keep([...others, { cookieHash: hash(cookie), secretHash: hash(secret), createdAt, expiresAt }]);
      return { cookie, secret, expiresAt };
    },
    find({ cookies, secret }) {
      const secretHash = hash(secret);
      // keyed hashes are compared: timing reveals nothing about the secrets
      return cookies.map(hash).find((cookieHash) => {
        const session = open().get(cookieHash);
        return isCurrent(session) && session.secretHash === secretHash;
      });
    },
    isOpen: (id) => isCurrent(open().get(id)),
    end(id) {
      keep([...open().values()].filter((session) => session.cookieHash !== id && isCurrent(session)));
    },
    endAll: () => keep([]),
  };
}
