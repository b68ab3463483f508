import type { ImportProblem } from "@skein/contracts";
import { listSessionFiles, pathExists, type SessionFile } from "./list-session-files.ts";
import type { FoundSession, FoundSessions } from "./session-source.ts";

interface SessionSearch {
  /** Folders that may not exist. */
  places: readonly string[];
  /** See `listSessionFiles`. */
  depth: number;
  matches(name: string): boolean;
  /**
   * Prepares the files of one place, and returns what describes each of them; undefined: not a session to import. A file for which it
   * rejects is reported as unreadable.
   */
  open(place: string, problems: ImportProblem[]): Promise<Describe> | Describe;
  pause(): Promise<void> | undefined;
}

type Describe = (file: SessionFile) => Promise<FoundSession | undefined>;

/** Searches the places of a program that keeps a file per session. */
export async function searchPlaces({ places, depth, matches, open, pause }: SessionSearch): Promise<FoundSessions> {
  const found: FoundSessions = { places: [], sessions: [], problems: [] };
  for (const place of places) {
    if (!(await pathExists(place))) continue;
    found.places.push(place);
    const describe = await open(place, found.problems);
    for (const file of await listSessionFiles(place, { depth, matches, problems: found.problems, pause })) {
      const session = await describe(file).catch((error: unknown) => {
        const detail = error instanceof Error ? error.message : String(error);
        found.problems.push({ code: "unreadable-file", file: file.path, detail });
        return undefined;
      });
      if (session !== undefined) found.sessions.push(session);
      const waiting = pause();
      if (waiting !== undefined) await waiting;
    }
  }
  return found;
}
