import { projectIdSchema, type Template, templateIdSchema } from "@skein/contracts";
import { expect, it } from "vitest";
import { emptyStartForm } from "./empty-start-form.ts";
import { findDraftProblem, toScheduleDraft, toScheduleRequest } from "./schedule-draft.ts";

const projectId = projectIdSchema.parse("prj_1");
const template: Template = {
  ...{ ...emptyStartForm, id: templateIdSchema.parse("tpl_1"), projectId, name: "x", createdAt: 1, updatedAt: 1 },
  prompt: "{{a}} on {{date}}",
};
const empty = toScheduleDraft(undefined, { projectId, timeZone: "UTC", hasTemplates: true });

it("[L6] what a schedule needs before it can be saved; the date has a value at each run", () => {
  const named = { ...empty, name: "Nightly" };
  expect([empty, named].map((draft) => findDraftProblem(draft, undefined))).toEqual(["name", "template"]);
  expect(findDraftProblem({ ...named, templateId: "tpl_1" }, template)).toBe("values");
  expect(findDraftProblem({ ...named, templateId: "tpl_1", values: { a: "1" } }, template)).toBeNull();
  expect(findDraftProblem({ ...named, type: "task" }, undefined)).toBe("prompt");
  expect(findDraftProblem({ ...named, type: "message" }, undefined)).toBe("attempt");
  expect(findDraftProblem({ ...named, type: "message", attemptId: "att_1" }, undefined)).toBe("message");
});

it("[L6] values of variables that the template no longer has are not sent", () => {
  const draft = { ...empty, name: " n ", templateId: "tpl_1", values: { a: "1", gone: "2", date: " " } };
  expect(toScheduleRequest(draft, template)).toMatchObject({ name: "n", action: { type: "template", values: { a: "1" } } });
});
