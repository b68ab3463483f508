import type { AgentOutput, CodedText, ConversationMessage, ExecutionId, MessageId, MessageText } from "@skein/contracts";
import { formatText } from "../coded-texts/format-text.ts";
import { RecentMap } from "../collections/recent-map.ts";
import { keepStart } from "../text/truncate.ts";
import type { ProcessedStep } from "./message-processor.ts";
import type { ProcessorCore, ProcessorState } from "./processor-state.ts";

const maxRawLength = 2048;
const maxRemembered = 32;

type Output<Type extends AgentOutput["type"]> = Extract<AgentOutput, { type: Type }>;

/** Messages that are complete when they arrive: notices, errors, unreadable lines, results without a card. */
export class StandaloneMessages {
  readonly #executionId: ExecutionId;
  // A repeated message must have a higher revision, or clients would drop it as a duplicate.
  readonly #revisions: RecentMap<string, number>;

  constructor(executionId: ExecutionId, state?: ProcessorState) {
    this.#executionId = executionId;
    this.#revisions = new RecentMap(maxRemembered, state?.standalone);
  }

  showNotice(output: Output<"notice">, step: ProcessedStep): void {
    step.conversation.push({
      ...this.#base(output.messageId, output.text, output.at),
      role: "system",
      messageType: "notice",
      metadata: {
        executionId: this.#executionId,
        ...(output.code === undefined ? {} : { code: output.code }),
        ...toData("text", output.text),
      },
    });
  }

  showCompression({ messageId, text, summary, at }: Output<"compression">, step: ProcessedStep): void {
    const origin = { executionId: this.#executionId, ...toData("text", text) };
    step.conversation.push(
      summary === null
        ? { ...this.#base(messageId, text, at), role: "system", messageType: "notice", metadata: { ...origin, code: "context-pruned" } }
        : {
            ...this.#base(messageId, `${formatText(text)}\n\n${summary.summary}`, at),
            role: "system",
            messageType: "summary",
            metadata: { ...origin, summaryId: summary.id, messageCount: summary.messageIds.length },
          },
    );
  }

  showError(output: Output<"error">, step: ProcessedStep): void {
    step.conversation.push({
      ...this.#base(output.messageId, output.text, output.at),
      role: "system",
      messageType: "error",
      metadata: {
        executionId: this.#executionId,
        ...(output.code === undefined ? {} : { code: output.code }),
        ...toData("text", output.text),
        ...(output.hint === undefined ? {} : { hint: formatText(output.hint), ...toData("hintText", output.hint) }),
      },
    });
  }

  showRaw(output: Output<"raw">, step: ProcessedStep): void {
    step.conversation.push({
      ...this.#base(output.messageId, keepStart(output.text, maxRawLength), output.at),
      role: "system",
      messageType: "notice",
      metadata: { executionId: this.#executionId, code: "unreadable-output" },
    });
  }

  showResult(output: Output<"tool-result">, step: ProcessedStep): void {
    step.conversation.push({
      ...this.#base(output.resultId, output.output, output.at),
      role: "assistant",
      messageType: "tool_result",
      metadata: {
        executionId: this.#executionId,
        ...(output.toolName === undefined ? {} : { toolName: output.toolName }),
        ...(output.toolUseId === undefined ? {} : { toolUseId: output.toolUseId }),
        isError: output.isError,
      },
    });
  }

  showUnnamedUse(key: string, output: Output<"tool-use">, step: ProcessedStep): void {
    step.conversation.push({
      ...this.#base(key, output.toolName, output.at),
      role: "assistant",
      messageType: "tool_use",
      metadata: { executionId: this.#executionId, toolName: output.toolName, input: output.input },
    });
  }

  save(): Pick<ProcessorCore, "standalone"> {
    return { standalone: this.#revisions.entries() };
  }

  #base(id: MessageId | string, text: MessageText, at: number): Pick<ConversationMessage, "id" | "content" | "timestamp" | "revision"> {
    const revision = (this.#revisions.get(id) ?? 0) + 1;
    this.#revisions.set(id, revision);
    return { id, content: formatText(text), timestamp: at, revision };
  }
}

/** Stored next to the English text: nothing for texts of others. */
function toData<Name extends string>(name: Name, text: MessageText): { [Key in Name]?: CodedText } {
  return (typeof text === "string" ? {} : { [name]: text }) as { [Key in Name]?: CodedText };
}
