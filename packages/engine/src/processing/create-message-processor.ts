import type { AgentOutput, ExecutionId, JsonValue } from "@skein/contracts";
import { type PresentTool, presentTool } from "../tools/tool-registry.ts";
import { AssistantMessages } from "./assistant-messages.ts";
import type { MessageProcessor, ProcessedStep } from "./message-processor.ts";
import { type OpenCall, type ProcessorCore, type ProcessorSnapshot, readSnapshot, toEntries } from "./processor-state.ts";
import { RetryNotices } from "./retry-notices.ts";
import { Serials } from "./serials.ts";
import { StandaloneMessages } from "./standalone-messages.ts";
import { ToolCalls } from "./tool-calls.ts";

/** Dependencies of a processor. */
export interface MessageProcessorOptions {
  executionId: ExecutionId;
  /** The last state and all entries of `snapshot()`; throws if another execution or version wrote them. */
  snapshot?: ProcessorSnapshot;
  present?: PresentTool;
}

/** Creates the processor of one execution. It is deterministic: the same outputs give the same messages, ids and revisions. */
export function createMessageProcessor({ executionId, snapshot, present = presentTool }: MessageProcessorOptions): MessageProcessor {
  const state = snapshot === undefined ? undefined : readSnapshot(snapshot, executionId);
  const context = { executionId, present };
  const standalone = new StandaloneMessages(executionId, state);
  const retries = new RetryNotices(standalone, state);
  const serials = new Serials(state?.nextSerial);
  const calls = new ToolCalls(context, { standalone, serials }, state);
  const messages = new AssistantMessages(context, { calls, standalone, serials }, state);

  function applyOutput(output: AgentOutput, step: ProcessedStep): void {
    switch (output.type) {
      case "text":
      case "thinking":
        retries.goOn(output.messageId, step);
        messages.addText(output, step);
        break;
      case "tool-use":
        if (output.ofSkein === true && output.toolUseId !== undefined) {
          const { messageId: key, toolUseId, toolName, input, at } = output;
          calls.begin({ key, toolUseId, toolName, input, at, output: "", revision: 0 }, step);
          break;
        }
        retries.goOn(output.messageId, step);
        messages.addToolUse(withoutEmptyId(output), step);
        break;
      case "tool-progress":
        calls.addProgress(output, step);
        break;
      case "tool-result":
        if (output.toolUseId) messages.closeLevel(output.toolUseId, output.at, step);
        calls.addResult(withoutEmptyId(output), step);
        break;
      case "message-end":
        retries.goOn(output.messageId, step);
        messages.end(output, step);
        break;
      case "retry":
        messages.retry(output, step);
        retries.wait(output, step);
        break;
      case "user-message":
        messages.addUserMessage(output, step);
        break;
      case "compression":
        standalone.showCompression(output, step);
        break;
      case "notice":
        standalone.showNotice(output, step);
        break;
      case "error":
        standalone.showError(output, step);
        break;
      case "raw":
        standalone.showRaw(output, step);
        break;
      // Handled by the server: they change the attempt, ask the user, or end the execution.
      case "session":
      case "session-options":
      case "approval-request":
      case "approval-withdrawn":
        break;
      case "end":
        if (output.status === "success") messages.complete(output.at, step);
        break;
    }
  }

  return {
    apply(output) {
      const step = createStep();
      if ("parentToolUseId" in output && output.parentToolUseId !== undefined) calls.addSign(output.parentToolUseId, output.at);
      applyOutput(output, step);
      return step;
    },

    settle({ at, reason }) {
      const step = createStep();
      messages.interrupt(step);
      retries.settle(step);
      const text = ["Interrupted: the tool may have run.", reason].filter((part) => part !== "").join(" ");
      calls.endAll({ at, state: "interrupted", text }, () => true, step);
      return step;
    },

    expire({ now, timeoutMs, isWaiting }) {
      const step = createStep();
      const text = `Timed out: no activity for ${Math.round(timeoutMs / 60_000)} minutes. The tool may have run.`;
      const isOver = (call: OpenCall) => now - (call.seenAt ?? call.at) > timeoutMs && !isWaiting(call.toolUseId);
      calls.endAll({ at: now, state: "timed-out", text }, isOver, step);
      return step;
    },

    snapshot() {
      const core: ProcessorCore = {
        version: 2,
        executionId,
        ...messages.save(),
        ...calls.save(),
        ...standalone.save(),
        ...retries.save(),
        ...serials.save(),
      };
      const entries = toEntries({ open: messages.takeChanges(), ...calls.takeChanges() });
      return { state: core as unknown as JsonValue, entries };
    },
  };
}

function createStep(): ProcessedStep {
  return { conversation: [], messages: [] };
}

/** An empty id identifies nothing: two of them would pair by accident. */
function withoutEmptyId<Output extends { toolUseId?: string | undefined }>(output: Output): Output {
  if (output.toolUseId !== "") return output;
  const { toolUseId: _, ...rest } = output;
  return rest as Output;
}
