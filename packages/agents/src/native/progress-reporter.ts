import { takeStart } from "@skein/engine";
import { TextCoalescer } from "./text-coalescer.ts";

const maximumLength = 64 * 1024;

/** Live output in few records of bounded size: a command that prints for hours must not fill the log. */
export function createProgressReporter(emit: (text: string) => void): { report(text: string): void; end(): void } {
  const coalescer = new TextCoalescer<null>({ patienceMs: 100, maximumLength: 4096, flush: (_, text) => emit(text) }, () => true);
  let left = maximumLength;
  return {
    report(text) {
      if (left <= 0) return;
      const shown = takeStart(text, left);
      left = shown.length < text.length ? 0 : left - shown.length;
      coalescer.push(null, left > 0 ? shown : `${shown}\n[… more output is not shown while it runs]\n`);
    },
    end: () => coalescer.flush(),
  };
}
