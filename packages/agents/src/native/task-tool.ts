import type { AgentOutput } from "@skein/contracts";
import { ModelError } from "@skein/engine";
import { z } from "zod";
import { defineTool, failed, type NativeTool, type ToolOutcome } from "../tools/tool.ts";
import { planToolName } from "./plan-mode.ts";
import { toText } from "./request-omissions.ts";
import { type ConversationEnd, runConversation } from "./run-conversation.ts";
import { type BuildRequest, settleOpenCalls, type Turn } from "./turn.ts";

const subagentsAtOnce = 4;
const withheld = ["task", "ask", planToolName];

const subagentPrompt = `You are a subagent: another agent gave you the task below, sees nothing of your work but your last message, and cannot answer
questions. Do what it asks and end with a report: what you found or did, with the paths and lines that matter, and what is still open.`;

/** A nested conversation inside a call: the same model and tools, with an empty context that is discarded afterwards. */
export function createTaskTool(
  turn: Turn,
  { systemPrompts, buildRequest }: { systemPrompts: readonly string[]; buildRequest: BuildRequest },
): NativeTool {
  return defineTool({
    name: "task",
    access: "free",
    together: subagentsAtOnce,
    description:
      "Gives a task to a subagent with the same tools, and returns its report. It knows nothing of this conversation: put everything it " +
      "needs into the prompt, and say what it should report. Use it for searches and other work whose many outputs you need not see. " +
      `Several in one step run side by side, ${subagentsAtOnce} at once: give them work that does not meet in the same files.`,
    schema: z.strictObject({
      description: z.string().min(1).max(200).describe("What it is about, in a few words"),
      prompt: z.string().min(1).max(100_000).describe("The whole task"),
    }),
    async run({ prompt }, { toolUseId }) {
      const child: Turn = {
        ...turn,
        tools: new Map([...turn.tools].filter(([name]) => !withheld.includes(name))),
        openCalls: new Map(),
        emit: (output) => turn.emit(withParent(output, toolUseId)),
      };
      try {
        const end = await runConversation(child, {
          systemPrompts: [...systemPrompts, subagentPrompt],
          messages: [{ id: turn.createMessageId(), body: { role: "user", content: prompt } }],
          summary: null,
          buildRequest,
          cycles: turn.limits.subagentCycles,
        });
        return toOutcome(end, turn.limits.subagentCycles);
      } catch (error) {
        if (!turn.signal.aborted && error instanceof ModelError) return failed(`The subagent failed: ${error.message}`);
        throw error;
      } finally {
        settleOpenCalls(child);
      }
    },
  });
}

/** Output of the nested conversation is shown inside the call's card. */
function withParent(output: AgentOutput, parentToolUseId: string): AgentOutput {
  switch (output.type) {
    case "text":
    case "thinking":
    case "tool-use":
      return { ...output, parentToolUseId };
    default:
      return output;
  }
}

function toOutcome(end: ConversationEnd, cycles: number): ToolOutcome {
  switch (end.type) {
    case "step-limit":
      return failed(`The subagent was stopped after ${cycles} steps without an end. Give it a smaller task.`);
    case "cost-limit":
      return failed("The subagent was stopped: the execution has reached its cost limit.");
    case "answered": {
      const text = toText(end.message.body.content);
      if (end.message.stopReason === "refusal") return failed("The subagent's model declined to answer.");
      return text === "" ? failed("The subagent ended without a report.") : { output: text, state: "completed" };
    }
  }
}
