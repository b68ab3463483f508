import { createInterface } from "node:readline/promises";

/** Asks on the terminal until the answer is one of `answers` (first letters); rejects when `signal` aborts. */
export async function ask<Answer extends string>(
  question: string,
  answers: Record<string, Answer>,
  { signal, output }: { signal: AbortSignal; output: NodeJS.WritableStream },
): Promise<Answer> {
  const lines = createInterface({ input: process.stdin, output });
  // readline consumes Ctrl-C while it reads; the process must get it.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    for (;;) {
      const text = (await lines.question(question, { signal })).trim().toLowerCase();
      const answer = answers[text] ?? answers[text.charAt(0)];
      if (answer !== undefined) return answer;
    }
  } finally {
    // The next output must not follow an unanswered question on the same line.
    if (signal.aborted) output.write("\n");
    lines.close();
  }
}
