import {
  type AnswerApproval,
  type Approval,
  type ApprovalDecision,
  approvalSchema,
  type Delivery,
  type TaskId,
  type WorkingMode,
} from "@skein/contracts";
import { findPlan } from "@skein/engine";
import { CliError } from "../cli-error.ts";
import { type ApiClient, ApiError } from "../client/api-client.ts";
import { ask } from "../terminal/ask.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";
import { describeUse } from "./describe-use.ts";
import type { RunPrinter } from "./run-printer.ts";

/** Answers one approval; rejects when `signal` aborts because someone else answered first. */
export type ApprovalAnswerer = (approval: Approval, signal: AbortSignal) => Promise<AnswerApproval>;

export interface Approvals extends Disposable {
  event(received: Delivery): void;
}

/** Answers the approvals in the events, one after the other. Disposing it withdraws open questions. */
export function createApprovals(options: {
  client: ApiClient;
  printer: RunPrinter;
  answer: ApprovalAnswerer;
  onFailure: (error: unknown) => void;
}): Approvals {
  const { client, printer, answer } = options;
  const open = new Map<string, AbortController>();
  let queue = Promise.resolve();

  async function settle(approval: Approval, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    printer.endLine();
    try {
      const decision = await answer(approval, signal);
      const plan = findPlan(approval);
      if (plan !== undefined && decision.decision === "deny" && decision.reason)
        printer.note(`Plan, not carried out:\n${toPlanText(plan.text)}`);
      else if (decision.decision === "deny" && decision.reason)
        printer.note(`Denied ${describeUse(approval, { all: false }).text}: ${decision.reason}`);
      await client.post(`/api/approvals/${approval.id}`, decision, approvalSchema);
    } catch (error) {
      // Someone answered in the browser meanwhile; the first answer counts.
      if (signal.aborted || (error instanceof ApiError && error.problem.status === 409)) return;
      options.onFailure(error);
    }
  }

  return {
    event({ event }) {
      if (event.type === "approval:resolved") open.get(event.approval.id)?.abort();
      if (event.type !== "approval:requested" || event.approval.status !== "pending" || open.has(event.approval.id)) return;
      const controller = new AbortController();
      open.set(event.approval.id, controller);
      queue = queue.then(() => settle(event.approval, controller.signal));
    },
    [Symbol.dispose]() {
      for (const controller of open.values()) controller.abort();
    },
  };
}

/** Keeps line breaks and reveals hidden characters (X6). */
function toPlanText(plan: string): string {
  return plan.trimEnd().split("\n").map(toRevealedLine).join("\n");
}

/** Shows the plan, and asks whether and how to carry it out. */
async function askAboutPlan(plan: string, signal: AbortSignal): Promise<AnswerApproval> {
  const question = `${toPlanText(plan)}\n\nCarry out this plan? [y]es and ask before acting, accept [e]dits, [f]ull access, [n]o: `;
  const answers: Record<string, WorkingMode | "deny"> = { y: "ask", e: "accept-edits", f: "full", n: "deny" };
  const answer = await ask(question, answers, { signal, output: process.stderr });
  return answer === "deny" ? { decision: "deny" } : { decision: "allow", plan: { mode: answer } };
}

/** Asks on the terminal. A dangerous tool use that is too long for the question can be allowed only after all of it was shown. */
export const askOnTerminal: ApprovalAnswerer = async (approval, signal) => {
  const plan = findPlan(approval);
  if (plan !== undefined) return askAboutPlan(plan.text, signal);
  for (let all = false; ; all = true) {
    const { text, isCut, hiddenCharacters } = describeUse(approval, { all });
    const notes = [
      ...(approval.reason === null ? [] : [toRevealedLine(approval.reason)]),
      ...(hiddenCharacters === 0 ? [] : [`invisible characters: ${hiddenCharacters}`]),
    ];
    const mustRead = isCut && notes.length > 0;
    const choices = [...(mustRead ? [] : ["[y]es", "[a]lways"]), "[n]o", ...(isCut ? ["[s]how all"] : [])];
    const question = `Allow ${text}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}? ${choices.join(", ")}: `;
    const answers: Record<string, ApprovalDecision | "show"> = {
      ...(mustRead ? {} : { y: "allow", a: "allow-always" }),
      n: "deny",
      ...(isCut ? { s: "show" } : {}),
    };
    const answer = await ask(question, answers, { signal, output: process.stderr });
    if (answer !== "show") return { decision: answer };
  }
};

export const denyUnattended: ApprovalAnswerer = async (approval) => ({
  decision: "deny",
  reason:
    findPlan(approval) === undefined
      ? "There is no terminal to ask on. To allow it, use --permission-mode accept-edits or full."
      : "There is no terminal to approve the plan on. Do not propose it again: end here.",
});

/** Where the agent asks before it acts and nobody is there, the question stays open for the browser, and the command ends. */
export const leaveUnattended =
  (taskId: TaskId): ApprovalAnswerer =>
  async (approval) => {
    throw new CliError(`The agent waits for an answer, and there is no terminal to ask on: ${describeUse(approval, { all: false }).text}`, {
      hint: [
        `Answer in the browser: start Skein if it does not run (skein serve), then skein open. The task is ${taskId}.`,
        "To run without questions, use --permission-mode accept-edits or full.",
      ].join("\n"),
    });
  };
