import type { RunPrinter } from "./run-printer.ts";

/** One line of JSON for each committed event, `{"seq":…,"type":…,…}`; standard output holds nothing else. */
export function createJsonPrinter({ out, err }: { out: (text: string) => void; err: (text: string) => void }): RunPrinter {
  return {
    event({ seq, event }) {
      if (seq !== undefined) out(`${JSON.stringify({ seq, ...event })}\n`);
    },
    endLine() {},
    note: (text) => err(`${text}\n`),
    end() {},
  };
}
