import type { ProjectRole } from "@skein/contracts";
import type { TokenCaller, UserCaller } from "../../team/viewer.ts";
import type { SessionId } from "./sessions.ts";

/** Needs a role in the project of every id that the request names: in its path, its query and its body. */
export interface ProjectAccess {
  project: ProjectRole;
  /** The kind of subject that is reported as missing, if it is not that of the first id. */
  subject?: "inbox-item";
}

/**
 * Who may use a route. Without team mode, every signed-in browser and every program with the token of the data dir may use all of them;
 * API tokens are checked in both modes.
 *
 * `public`: no credentials. `own-page`: requests of our own origin, with or without a session, and programs with the token. `token`:
 * programs with the token of the data dir only. `signed-in`: every user; the services return what the user may see. `browser`: a user's own
 * account, in a signed-in browser: an API token cannot extend its own rights. `admin`: administrators. `node`: servers that share the
 * database only.
 */
export type Access = "public" | "own-page" | "token" | "signed-in" | "browser" | "admin" | "node" | ProjectAccess;

/** The sender of a request. `program`: with the token of the data dir. `browser`: signed in by a launch link, without users. */
export type Caller = { kind: "anyone" } | { kind: "program" } | { kind: "browser"; session: SessionId } | UserCaller | TokenCaller;
