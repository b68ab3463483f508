import type { PermissionMode } from "@skein/contracts";
import { keepNewest, objectField, stringField } from "@skein/engine";
import { toGrant } from "../grants/grants.ts";
import { isInsideWorktree } from "../grants/worktree-paths.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { listPaths } from "./agent-files.ts";

const maxCalls = 64;
const editKinds = new Set(["edit", "delete", "move"]);

interface SeenCall {
  kind: string;
  command: string | undefined;
  /** It names a file of the working folder: plans are written elsewhere. */
  isInFolder: boolean;
  isAsked: boolean;
}

/**
 * Detects an agent that does not ask: ACP has no capability for it. Evidence is a change of files that completed without a question
 * although the permission mode requires one, or a command that does more than read, unless the agent has asked about others: agents
 * decide by themselves which commands are harmless.
 */
export class UnaskedCalls {
  readonly #calls = new Map<string, SeenCall>();
  readonly #directory: string;
  #hasAsked = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Pass each `tool_call`, `tool_call_update` and the call of each question. Returns true if it shows that the mode is violated. */
  see(call: JsonObject, { mode, isQuestion = false }: { mode: PermissionMode; isQuestion?: boolean }): boolean {
    const id = stringField(call, "toolCallId");
    if (id === undefined) return false;
    const known = this.#calls.get(id);
    const seen: SeenCall = {
      kind: stringField(call, "kind") ?? known?.kind ?? "other",
      command: stringField(objectField(call, "rawInput"), "command") ?? known?.command ?? stringField(call, "title"),
      isInFolder: known?.isInFolder === true || listPaths(call).some((path) => isInsideWorktree(path, { directory: this.#directory })),
      isAsked: isQuestion || known?.isAsked === true,
    };
    this.#hasAsked ||= isQuestion;
    this.#calls.set(id, seen);
    keepNewest(this.#calls, maxCalls);
    return !seen.isAsked && stringField(call, "status") === "completed" && this.#needsQuestion(seen, mode);
  }

  #needsQuestion({ kind, command, isInFolder }: SeenCall, mode: PermissionMode): boolean {
    if (mode === "full") return false;
    if (editKinds.has(kind)) return mode === "ask" || (mode === "plan" && isInFolder);
    if (this.#hasAsked || kind !== "execute" || command === undefined) return false;
    const grant = toGrant({ type: "command", tool: "execute", command, cwd: this.#directory }, this.#directory);
    return grant?.type !== "read-only-command";
  }
}
