import { isSessionId, type JsonValue, type Usage } from "@skein/contracts";
import { type AgentDecoder, asObject, booleanField, countField, objectField, stringField } from "@skein/engine";
import { AssistantBlocks, type AssistantBlocksState, type BlockAddress } from "../lines/assistant-blocks.ts";
import { type DecoderState, readDecoderSnapshot } from "../lines/decoder-snapshot.ts";
import { toErrorMessage } from "../lines/error-text.ts";
import { createJsonLineDecoder, type DecoderOptions, type LineContext } from "../lines/json-line-decoder.ts";
import type { JsonObject } from "../lines/parse-line.ts";
import { withOutputOf } from "../lines/whole-usage.ts";

const kind = { decoder: "gemini", version: 1 } as const;

type State = DecoderState & { blocks: AssistantBlocksState; text: BlockAddress | null };

/**
 * `gemini --output-format stream-json`. Results of calls made together arrive together, after the slowest; a command that
 * failed is a success here and its exit code is not told; an interrupted run exits with 0 and without a `result`.
 */
export function createGeminiDecoder(options: DecoderOptions): AgentDecoder {
  const state = options.snapshot === undefined ? undefined : readDecoderSnapshot<State>(options.snapshot, kind);
  const blocks = new AssistantBlocks(state?.blocks);
  /** The text that the next delta is added to. */
  let text = state?.text ?? null;

  function read(value: JsonObject, context: LineContext): boolean {
    const { ids, at, emit } = context;
    const type = stringField(value, "type");
    if (type !== "message") text = null;
    switch (type) {
      case "init": {
        const sessionId = stringField(value, "session_id");
        const model = stringField(value, "model");
        if (sessionId === undefined || !isSessionId(sessionId)) return false;
        emit({ type: "session", sessionId, ...(model === undefined ? {} : { model }), at });
        return true;
      }
      case "message":
        return readMessage(value, context);
      case "tool_use":
        return readUse(value, context);
      case "tool_result":
        return readResult(value, context);
      // The run goes on after it: a loop that was found, a turn limit that comes near.
      case "error": {
        const code = stringField(value, "severity") === "warning" ? "agent-warning" : "agent-error";
        emit({
          type: "notice",
          messageId: ids.next(),
          text: toErrorMessage(stringField(value, "message"), { code: "agent-error", agent: "Gemini CLI" }),
          code,
          at,
        });
        return true;
      }
      case "result":
        if (stringField(value, "status") === "success") blocks.end(context);
        readEnd(value, context);
        return true;
      default:
        return false;
    }
  }

  function readMessage(value: JsonObject, { ids, at, emit }: LineContext): boolean {
    const content = stringField(value, "content");
    if (content === undefined) return false;
    // The person's own message comes back first.
    if (stringField(value, "role") !== "assistant") return true;
    const isDelta = booleanField(value, "delta") === true;
    const address = (isDelta ? text : null) ?? blocks.addText(ids);
    text = isDelta ? address : null;
    emit({ type: "text", mode: isDelta ? "delta" : "whole", text: content, ...address, at });
    return true;
  }

  function readUse(value: JsonObject, { ids, at, toolUseId, emit }: LineContext): boolean {
    const toolName = stringField(value, "tool_name");
    const id = stringField(value, "tool_id");
    if (toolName === undefined) return false;
    emit({
      type: "tool-use",
      ...(id === undefined ? {} : { toolUseId: toolUseId(id) }),
      toolName,
      input: asObject(value.parameters) ?? {},
      ...blocks.addUse(ids),
      at,
    });
    return true;
  }

  function readResult(value: JsonObject, { ids, at, toolUseId, emit }: LineContext): boolean {
    const status = stringField(value, "status");
    const id = stringField(value, "tool_id");
    if (status === undefined) return false;
    const failure = stringField(objectField(value, "error"), "message");
    blocks.addResult();
    emit({
      type: "tool-result",
      resultId: ids.next(),
      ...(id === undefined ? {} : { toolUseId: toolUseId(id) }),
      output: stringField(value, "output") ?? failure ?? "",
      isError: status !== "success",
      at,
    });
    return true;
  }

  const save = () => ({ ...kind, blocks: blocks.save(), text }) as unknown as JsonValue;
  return createJsonLineDecoder(options, { read, save });
}

function readEnd(value: JsonObject, { at, emit }: LineContext): void {
  const usage = toUsage(objectField(value, "stats"));
  if (stringField(value, "status") === "success") {
    emit({ type: "end", status: "success", usage, at });
    return;
  }
  const said = stringField(objectField(value, "error"), "message");
  const reason = toErrorMessage(said, { code: "agent-gave-no-reason", agent: "Gemini CLI" });
  emit({ type: "end", status: "failed", reason, usage, at });
}

function toUsage(stats: JsonObject | undefined): Usage {
  const inputTokens = countField(stats, 0, "input_tokens");
  const outputTokens = countField(stats, 0, "output_tokens");
  const cacheReadTokens = countField(stats, 0, "cached");
  // its input has the cached tokens in it, its output has no thoughts: the total has
  return withOutputOf(countField(stats, 0, "total_tokens"), {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
  });
}
