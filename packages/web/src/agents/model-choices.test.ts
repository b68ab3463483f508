import { describe, expect, it } from "vitest";
import { toCurrentModel, toModelChoices } from "./model-choices.ts";

const listed = { id: "a/one", name: "One", contextWindow: 1000 };

it("a model that the agent does not list stays a choice while it is in use", () => {
  expect(toModelChoices([listed], { model: "b/own" })).toEqual([listed, { id: "b/own", name: "b/own" }]);
  expect(toModelChoices([listed], { model: "a/one" })).toEqual([listed]);
  expect(toModelChoices([listed], { model: null })).toEqual([listed]);
});

describe("models that the agent's session offers", () => {
  const sessionOptions = {
    models: [
      { id: "c/two", name: "Two" },
      { id: "a/one", name: "One, today" },
    ],
    currentModel: "c/two",
    modes: [],
    hasPlanMode: false,
  };

  it("take the place of those that are known of the agent, with what is known of them", () => {
    expect(toModelChoices([listed], { model: null, sessionOptions })).toEqual([
      { id: "c/two", name: "Two" },
      { id: "a/one", name: "One, today", contextWindow: 1000 },
    ]);
  });

  it("name the one that is used while nothing is chosen", () => {
    expect(toCurrentModel({ model: null, sessionOptions })).toEqual({ id: "c/two", name: "Two" });
    expect(toCurrentModel({ model: null, sessionOptions: { ...sessionOptions, currentModel: "x" } })).toEqual({ id: "x", name: "x" });
    expect(toCurrentModel({ model: null })).toBeUndefined();
  });
});
