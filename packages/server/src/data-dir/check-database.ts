import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { locateProgram } from "@skein/agents/locate-program";
import { toProgramArgs } from "@skein/host";
import { z } from "zod";
import type { Logger } from "../logger.ts";

/*
 * SQLite notices a damaged page when it reads it, which may be months later, when no good backup is left. So all pages are read once
 * a day, some time after the start: a server that runs for a minute does not pay for it. `quick_check` leaves out what costs most, the
 * comparison of indexes with their tables; what a disk or a program did to the file, it finds.
 */

const firstAfterMs = 10 * 60_000;
const everyMs = 24 * 60 * 60_000;
const patienceMs = 60 * 60_000;

export interface DatabaseCheck {
  /** What the last check found. */
  readonly isDamaged: boolean;
  close(): void;
}

/** `onChange` is called when damage is found, and when a later check finds it gone. */
export function startDatabaseCheck(input: {
  file: string;
  logger: Logger;
  onChange(): void;
  firstAfterMs?: number | undefined;
}): DatabaseCheck {
  const { file, logger } = input;
  const closing = new AbortController();
  let isDamaged = false;
  let timer = schedule(input.firstAfterMs ?? firstAfterMs);

  function schedule(ms: number): NodeJS.Timeout {
    return setTimeout(() => void check(), ms).unref();
  }

  async function check(): Promise<void> {
    try {
      const findings = await readAll(file, closing.signal);
      if (findings.length > 0) logger.error("the database is damaged", { file, findings });
      if (findings.length > 0 !== isDamaged) {
        isDamaged = !isDamaged;
        input.onChange();
      }
    } catch (error) {
      // nothing is known then; the next one may tell
      if (!closing.signal.aborted) logger.warn("the database could not be checked", { error });
    }
    if (!closing.signal.aborted) timer = schedule(everyMs);
  }

  return {
    get isDamaged() {
      return isDamaged;
    },
    close() {
      closing.abort();
      clearTimeout(timer);
    },
  };
}

const run = promisify(execFile);

async function readAll(file: string, signal: AbortSignal): Promise<string[]> {
  const args = [...toProgramArgs(locateProgram(new URL("./check-database-program.ts", import.meta.url))), file];
  const { stdout } = await run(process.execPath, args, { env: {}, signal, timeout: patienceMs });
  return z.array(z.string()).parse(JSON.parse(stdout));
}
