import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { locateProgram } from "@skein/agents/locate-program";
import { toProgramArgs } from "@skein/host";
import { z } from "zod";
import type { Logger } from "../logger.ts";

/*
 * SQLite notices a damaged page only when it reads it, maybe months later when no good backup is left. So all pages are read once a
 * day, and first some time after the start, so that short-lived servers do not pay for it. `quick_check` skips the most expensive part,
 * comparing indexes with tables, but finds damage done by disks or other programs.
 */

const firstAfterMs = 10 * 60_000;
const everyMs = 24 * 60 * 60_000;
const patienceMs = 60 * 60_000;

export interface DatabaseCheck {
  /** Result of the last check. */
  readonly isDamaged: boolean;
  close(): void;
}

/** `onChange` is called when damage is found, and when a later check finds none. */
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
      // state unknown: wait for the next check
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
