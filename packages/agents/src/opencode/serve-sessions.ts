import { isSessionId } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { RecentSet } from "../lines/recent-set.ts";

const maxSubagents = 32;

export interface ServeSessionsState {
  own: string | null;
  subagents: string[];
}

/** Which of the sessions of a server an event is about. */
export class ServeSessions {
  #own: string | null;
  readonly #subagents: RecentSet;

  constructor(state?: ServeSessionsState) {
    this.#own = state?.own ?? null;
    this.#subagents = new RecentSet(maxSubagents, state?.subagents);
  }

  /** `none` for an event about no session. Tells the execution's own session when it first appears. */
  place(type: string, properties: JsonObject, { toolUseId, at, emit }: LineContext): "own" | "subagent" | "other" | "none" {
    const info = objectField(properties, "info");
    const isSession = type === "session.created" || type === "session.updated";
    const id =
      stringField(properties, "sessionID") ??
      (isSession ? stringField(info, "id") : stringField(info ?? objectField(properties, "part"), "sessionID"));
    if (id === undefined) return "none";
    if (id === this.#own) return "own";
    const key = toolUseId(id);
    const parent = isSession ? stringField(info, "parentID") : undefined;
    if (parent !== undefined && (parent === this.#own || this.#subagents.has(toolUseId(parent)))) this.#subagents.add(key);
    if (this.#subagents.has(key)) return "subagent";
    // A session that goes on is first heard of when it changes, is spoken to, or fails at once.
    const isBeginning = parent === undefined && (type.startsWith("session.") || type === "message.updated");
    if (this.#own !== null || !isBeginning || !isSessionId(id)) return "other";
    this.#own = id;
    emit({ type: "session", sessionId: id, at });
    return "own";
  }

  save(): ServeSessionsState {
    return { own: this.#own, subagents: this.#subagents.list() };
  }
}
