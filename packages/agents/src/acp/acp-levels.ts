import { keepNewest, objectField, stringField } from "@skein/engine";
import { AssistantBlocks, type AssistantBlocksState } from "../lines/assistant-blocks.ts";
import type { LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";

const maxLevels = 16;

export type AcpLevelsState = [parent: string, blocks: AssistantBlocksState][];

/**
 * The messages of an agent and of its subagents, which may write concurrently: each level has its own. A level is named by the tool use
 * id of its subagent; the agent's own has no name.
 */
export class AcpLevels {
  readonly #own: AssistantBlocks;
  readonly #subagents: Map<string, AssistantBlocks>;

  constructor(own: AssistantBlocks, state: AcpLevelsState = []) {
    this.#own = own;
    this.#subagents = new Map(state.map(([parent, blocks]) => [parent, new AssistantBlocks(blocks)]));
  }

  /** The subagent of an update. The protocol has no field for it: Claude Code's adapter and Qwen Code use `_meta`. */
  findParent(update: JsonObject, context: LineContext): string | undefined {
    const meta = objectField(update, "_meta");
    const id = stringField(objectField(meta, "claudeCode"), "parentToolUseId") ?? stringField(meta, "parentToolCallId");
    return id === undefined ? undefined : context.toolUseId(id);
  }

  blocksOf(parent: string | undefined): AssistantBlocks {
    if (parent === undefined) return this.#own;
    const blocks = this.#subagents.get(parent) ?? new AssistantBlocks();
    this.#subagents.set(parent, blocks);
    keepNewest(this.#subagents, maxLevels);
    return blocks;
  }

  /** The subagent has reported: its last text is complete. */
  end(parent: string, context: LineContext): void {
    this.#subagents.get(parent)?.end(context);
    this.#subagents.delete(parent);
  }

  save(): AcpLevelsState {
    return [...this.#subagents].map(([parent, blocks]) => [parent, blocks.save()]);
  }
}
