import { expect, it } from "vitest";
import { toModelChoices } from "./model-choices.ts";

it("a model that the agent does not list stays a choice while it is in use", () => {
  const listed = { id: "a/one", name: "One" };
  expect(toModelChoices([listed], "b/own")).toEqual([listed, { id: "b/own", name: "b/own" }]);
  expect(toModelChoices([listed], "a/one")).toEqual([listed]);
  expect(toModelChoices([listed], null)).toEqual([listed]);
});
