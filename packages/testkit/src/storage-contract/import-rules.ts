import type { ImportedSession } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildEndedExecution } from "../builders/build-execution.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, execution, insertRunningExecution, type StorageContract, useStorage } from "./contract-fixture.ts";

export function describeImports(contract: StorageContract): void {
  describe("imported sessions", () => {
    const fixture = useStorage(contract);
    const session: ImportedSession = {
      ...{ source: "codex", sessionId: "s-1", attemptId: attempt.id, generation: 0, fingerprint: "", position: 0 },
      ...{ turnKey: "a", turns: 1, importedAt: testTime },
    };
    const ended = buildEndedExecution({ ...execution, status: "success" });

    it("[Q20] what was imported of a session is replaced by the next import, and outlives its task", async () => {
      const { storage } = fixture;
      await storage.transaction((tx) => tx.putImportedSession(session));
      await storage.transaction((tx) => insertRunningExecution(tx));
      const grown: ImportedSession = { ...session, fingerprint: "f", position: 2 ** 33, turnKey: "b", turns: 2, importedAt: testTime + 1 };
      await storage.transaction((tx) => tx.putImportedSession(grown));
      expect(await storage.read.findImportedSession({ source: "codex", sessionId: "s-1" })).toEqual(grown);
      expect(await storage.read.findImportedSession({ source: "gemini", sessionId: "s-1" })).toBeUndefined();
      await storage.transaction((tx) => tx.deleteTask({ id: attempt.taskId }));
      expect(await storage.read.listImportedSessions({ source: "codex" })).toEqual([grown]);
    });

    it("[Q20, E5] the end of an execution changes only where it was imported", async () => {
      const { storage } = fixture;
      const longer = { ...ended, endedAt: ended.endedAt + 5, durationMs: ended.durationMs + 5, usage: { outputTokens: 3 } };
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.endExecution(ended);
      });
      await expect(storage.transaction((tx) => tx.putImportedExecution(longer))).rejects.toThrow(StorageConstraintError);
      await storage.transaction((tx) => tx.putImportedSession(session));
      expect(await storage.transaction((tx) => tx.putImportedExecution(longer))).toBe(false);
      const next = { ...longer, id: testId("exe", 2), number: 2 };
      expect(await storage.transaction((tx) => tx.putImportedExecution(next))).toBe(true);
      expect(await storage.read.listExecutions({ attemptId: attempt.id })).toEqual([longer, next]);
      expect(await storage.read.listExecutions({ attemptId: attempt.id, limit: 1 })).toEqual([longer]);
      expect(await storage.read.listExecutions({ attemptId: attempt.id, after: longer.number, limit: 5 })).toEqual([next]);
    });

    it("[I1] the sessions of attempts are listed with their agents", async () => {
      const { storage } = fixture;
      expect(await storage.read.listAttemptSessions()).toEqual([]);
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.updateAttempt({ ...attempt, sessionId: "s-1" });
      });
      const { id: attemptId, taskId, agent } = attempt;
      expect(await storage.read.listAttemptSessions()).toEqual([{ agent, sessionId: "s-1", attemptId, taskId, executions: 1 }]);
    });
  });
}
