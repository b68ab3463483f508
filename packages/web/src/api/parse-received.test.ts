import { expect, it } from "vitest";
import { UnreadableError } from "./api-error.ts";
import { parseReceived } from "./parse-received.ts";
import { answerSchemas } from "./wire-schemas.ts";

const project = { id: "prj_1", name: "One", path: "/one", systemPrompt: "", createdAt: 1, updatedAt: 1 };

it("reads an answer, without fields that only a newer server knows", () => {
  expect(parseReceived(answerSchemas.projects, [{ ...project, colour: "red" }], "GET /api/projects")).toEqual([project]);
});

it("an answer that does not fit is an error that names the route and the field", () => {
  const read = () => parseReceived(answerSchemas.projects, [project, { ...project, name: 7 }], "GET /api/projects");
  expect(read).toThrow(UnreadableError);
  expect(read).toThrow("GET /api/projects: 1.name: Invalid input: expected string, received number");
  expect(() => parseReceived(answerSchemas.project, "<html>", "POST /api/projects")).toThrow("POST /api/projects: Invalid input");
});
