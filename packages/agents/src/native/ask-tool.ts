import type { ApprovalAnswers, JsonValue } from "@skein/contracts";
import { z } from "zod";
import { defineTool, type NativeTool } from "../tools/tool.ts";
import type { Turn } from "./turn.ts";

const questionSchema = z.strictObject({
  header: z.string().max(100).optional().describe("What it is about, in one or two words"),
  question: z.string().min(1).max(2000),
  options: z
    .array(z.strictObject({ label: z.string().min(1).max(200), description: z.string().max(1000).optional() }))
    .max(10)
    .describe("What the user can choose from; they can always write something else"),
  multiple: z.boolean().optional().describe("More than one option may be chosen"),
});

/** A question to the user is an approval with a text answer (E10): it waits, survives a restart, and is answered once. */
export function createAskTool(turn: Turn): NativeTool {
  return defineTool({
    name: "ask",
    access: "free",
    description:
      "Asks the user, and waits for the answer. Use it when the task can be understood in ways that lead to different work, or when a " +
      "decision is theirs to make; not for what you can find out yourself, and not to ask whether to continue.",
    schema: z.strictObject({ questions: z.array(questionSchema).min(1).max(4) }),
    async run(input, { toolUseId }) {
      turn.emit({ type: "approval-request", toolUseId, toolName: "ask", input: input as JsonValue, at: turn.now() });
      const answer = await turn.approvals.waitFor(toolUseId, turn.signal);
      if (answer === undefined || turn.signal.aborted) return { output: "Stopped before the user answered.", state: "interrupted" };
      if (answer.decision === "deny") {
        const reason = answer.reason === null || answer.reason === "" ? "" : ` They said: ${answer.reason}`;
        return { output: `The user did not answer.${reason}`, state: "denied" };
      }
      const answers = answer.answers ?? {};
      const lines = input.questions.map(({ question }) => `${question}\n→ ${describeAnswer(answers, question)}`);
      return { output: lines.join("\n\n"), state: "completed", structured: { answers } };
    },
  });
}

function describeAnswer(answers: ApprovalAnswers, question: string): string {
  const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
  if (answer === undefined || answer.length === 0) return "(no answer)";
  return typeof answer === "string" ? answer : answer.join("; ");
}
