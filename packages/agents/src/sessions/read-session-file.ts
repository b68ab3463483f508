import { BrokenLines } from "./broken-lines.ts";
import { readSessionLines, type SessionLine } from "./read-session-lines.ts";
import type { SessionSink } from "./session-source.ts";

/** Reads the lines of one session, in order. */
export interface SessionReading {
  readLine(line: SessionLine, broken: BrokenLines): void | Promise<void>;
}

/**
 * Reads a session file with a line per message. `resume` continues where the last read found the last turn, if that turn is still there;
 * otherwise, and without `resume`, the file is read from its beginning.
 */
export async function readSessionFile(
  file: string,
  input: {
    sink: SessionSink;
    resume: { position: number; isTurn(text: string): boolean; begin(): SessionReading } | undefined;
    begin(): SessionReading;
  },
): Promise<void> {
  const { sink, resume } = input;
  if (resume !== undefined) {
    const reading = resume.begin();
    const broken = new BrokenLines(file);
    let isSame: boolean | undefined;
    await readSessionLines(file, {
      offset: resume.position,
      sink,
      onLine(line) {
        isSame ??= resume.isTurn(line.text);
        if (isSame) return reading.readLine(line, broken);
      },
    });
    if (isSame === true) return broken.report(sink);
    sink.restart();
  }
  const reading = input.begin();
  const broken = new BrokenLines(file);
  await readSessionLines(file, { sink, onLine: (line) => reading.readLine(line, broken) });
  broken.report(sink);
}
