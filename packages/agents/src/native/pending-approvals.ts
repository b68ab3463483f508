import type { ApprovalAnswer } from "./native-control.ts";

/** Matches approval requests with their answers, in whichever order they arrive. The first answer counts. */
export class PendingApprovals {
  readonly #answers = new Map<string, ApprovalAnswer>();
  readonly #waiting = new Map<string, (answer: ApprovalAnswer) => void>();

  answer(answer: ApprovalAnswer): void {
    if (this.#answers.has(answer.toolUseId)) return;
    this.#answers.set(answer.toolUseId, answer);
    this.#waiting.get(answer.toolUseId)?.(answer);
    this.#waiting.delete(answer.toolUseId);
  }

  /** Resolves with undefined if `signal` aborts before there is an answer. */
  waitFor(toolUseId: string, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const known = this.#answers.get(toolUseId);
    if (known !== undefined) return Promise.resolve(known);
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const onAbort = () => {
        this.#waiting.delete(toolUseId);
        resolve(undefined);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(toolUseId, (answer) => {
        signal.removeEventListener("abort", onAbort);
        resolve(answer);
      });
    });
  }
}
