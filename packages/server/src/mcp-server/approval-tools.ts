import {
  approvalAnswersSchema,
  approvalDecisionSchema,
  approvalIdSchema,
  approvalSchema,
  attemptIdSchema,
  taskIdSchema,
} from "@skein/contracts";
import { z } from "zod";
import { toQuery } from "./api.ts";
import { toResult } from "./tool-result.ts";
import { defineTool, reading, type SkeinTool } from "./tools.ts";

export const approvalTools: readonly SkeinTool[] = [
  defineTool({
    name: "list_approvals",
    scope: "read",
    title: "List open questions",
    description:
      "Lists what agents ask before they continue: permissions to use a tool, plans, and questions. The user answers them in Skein.",
    input: z.object({ attemptId: attemptIdSchema.optional() }),
    output: z.object({
      approvals: z.array(
        z.object({
          id: approvalIdSchema,
          taskId: taskIdSchema,
          attemptId: attemptIdSchema,
          tool: z.string(),
          input: z.json(),
          reason: z.string().nullable(),
        }),
      ),
    }),
    annotations: reading,
    async run(query, { api, signal }) {
      const approvals = await api.get(`/api/approvals${toQuery({ ...query, status: "pending" })}`, z.array(approvalSchema), signal);
      return toResult({
        approvals: approvals.map(({ id, taskId, attemptId, toolName, input, reason }) => ({
          id,
          taskId,
          attemptId,
          tool: toolName,
          input,
          reason,
        })),
      });
    },
  }),
  defineTool({
    name: "answer_approval",
    scope: "approve",
    title: "Answer an agent's question",
    description:
      "Answers a question of another agent. The first answer counts. Only with a token of the scope `approve`, and never by an agent that runs inside Skein.",
    input: z.object({
      approvalId: approvalIdSchema,
      decision: approvalDecisionSchema.describe("allow-always also allows the same in future"),
      reason: z.string().max(10_000).optional().describe("For the agent"),
      answers: approvalAnswersSchema.optional().describe("By question, if the agent has asked questions"),
    }),
    output: z.object({ answered: z.boolean() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run({ approvalId, ...answer }, { api, signal }) {
      await api.post(`/api/approvals/${approvalId}`, answer, approvalSchema, signal);
      return toResult({ answered: true });
    },
  }),
];
