import { createId } from "@skein/contracts";
import type { StoredAutomation, StoredAutomationRun } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { testId, testTime } from "../builders/test-id.ts";
import { project, type StorageContract, useStorage } from "./contract-fixture.ts";

const template: StoredAutomation = {
  ...{ id: testId("tpl"), kind: "template", projectId: project.id, name: "Nightly 夜", definition: { prompt: "{{a}}" } },
  ...{ createdAt: testTime, updatedAt: testTime },
};
const schedule: StoredAutomation = { ...template, id: testId("sch"), kind: "schedule", by: { id: testId("usr"), name: "Ada" } };
const run: StoredAutomationRun = {
  ...{ automationId: schedule.id, key: "1", state: "open", at: 1, endedAt: null, taskId: null, detail: null },
};

export function describeAutomations(contract: StorageContract): void {
  describe("templates, schedules and webhooks", () => {
    const fixture = useStorage(contract);

    it("[L6] are stored, replaced, listed by name for their projects, located, and deleted with their project", async () => {
      const { storage } = fixture;
      const other = { ...template, id: testId("tpl", 2), name: "Daily", updatedAt: testTime + 1 };
      await storage.transaction(async (tx) => {
        await tx.insertProject(project);
        for (const one of [template, schedule, other]) await tx.putAutomation(one);
      });
      const list = async (projectIds?: (typeof project.id)[]) =>
        (await storage.read.listAutomations({ kind: "template", projectIds })).map(({ name }) => name);
      expect(await Promise.all([list(), list([project.id]), list([]), list([createId("prj")])])).toEqual([
        ["Daily", "Nightly 夜"],
        ["Daily", "Nightly 夜"],
        [],
        [],
      ]);
      expect(await storage.read.findAutomation({ id: schedule.id })).toEqual(schedule);
      const changed = { ...template, name: "Renamed", definition: { prompt: "b" }, updatedAt: testTime + 2 };
      await storage.transaction((tx) => tx.putAutomation(changed));
      expect(await storage.read.findAutomation({ id: template.id })).toEqual(changed);
      expect(await storage.read.locateProjects({ ids: [template.id, schedule.id, testId("hok")] })).toEqual(
        new Map([
          [template.id, project.id],
          [schedule.id, project.id],
        ]),
      );
      expect(await storage.transaction((tx) => tx.deleteAutomation({ id: template.id }))).toBe(true);
      expect(await storage.transaction((tx) => tx.deleteAutomation({ id: template.id }))).toBe(false);
      await storage.transaction((tx) => tx.deleteProject({ id: project.id }));
      expect(await storage.read.listAutomations({ kind: "schedule" })).toEqual([]);
    });

    it("[L6] have runs, one of each key; the newest are kept, and open ones always", async () => {
      const { storage } = fixture;
      const done = { ...run, state: "done" as const, endedAt: 5, taskId: testId("tsk"), detail: { a: 1 } };
      await storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.putAutomation(schedule);
        await tx.putAutomationRun(run);
        for (const at of [2, 3, 4]) await tx.putAutomationRun({ ...done, key: `${at}`, at });
      });
      const keys = async () => (await storage.read.listAutomationRuns({ automationId: schedule.id, limit: 10 })).map(({ key }) => key);
      expect(await keys()).toEqual(["4", "3", "2", "1"]);
      await storage.transaction((tx) => tx.trimAutomationRuns({ automationId: schedule.id, keep: 2 }));
      expect(await keys()).toEqual(["4", "3", "1"]);
      await storage.transaction((tx) => tx.putAutomationRun({ ...done, key: "1", at: 1 }));
      expect(await storage.read.findAutomationRun({ automationId: schedule.id, key: "1" })).toEqual({ ...done, key: "1", at: 1 });
      await expect(storage.transaction((tx) => tx.putAutomationRun({ ...run, key: "5", endedAt: 5 }))).rejects.toThrow();
      await storage.transaction((tx) => tx.deleteAutomation({ id: schedule.id }));
      expect(await keys()).toEqual([]);
    });
  });
}
