import type { Attempt, UpdateAttempt } from "@skein/contracts";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/api.ts";
import { attemptsQuery } from "../api/queries.ts";
import { applyAttemptChanges, findAttemptChanges, saveAttempt } from "./attempt-changes.ts";

afterEach(() => vi.restoreAllMocks());

/** A server whose answers come when the test lets them, and the model that the page shows. */
function setUp(id: string) {
  let stored = { id, taskId: "tsk_1", number: 1, active: true, model: "small" } as Attempt;
  const requests: { changes: UpdateAttempt; answer(): void; refuse(): void }[] = [];
  vi.spyOn(api, "updateAttempt").mockImplementation(
    (_, changes) =>
      new Promise((resolve, reject) => {
        const answer = () => {
          stored = applyAttemptChanges(stored, changes);
          resolve(stored);
        };
        requests.push({ changes, answer, refuse: () => reject(new Error("refused")) });
      }),
  );
  const client = new QueryClient();
  const { queryKey } = attemptsQuery(stored.taskId);
  client.setQueryData(queryKey, [stored]);
  const first = stored;
  const shownModel = () => {
    const known = client.getQueryData(queryKey)?.[0] ?? first;
    return findAttemptChanges(first.id).pending.get().reduce(applyAttemptChanges, known).model;
  };
  return { requests, shownModel, choose: (model: string) => saveAttempt(client, first, { model }) };
}

test("the answer to an earlier choice does not replace a later one", async () => {
  const { requests, shownModel, choose } = setUp("att_1");
  const first = choose("medium");
  const second = choose("large");
  expect(shownModel()).toBe("large");
  await vi.waitUntil(() => requests.length === 1);
  requests[0]?.answer();
  await first;
  expect(shownModel()).toBe("large");
  await vi.waitUntil(() => requests.length === 2);
  requests[1]?.answer();
  await second;
  expect([shownModel(), requests.map(({ changes }) => changes.model)]).toEqual(["large", ["medium", "large"]]);
});

test("a choice that the server refuses is rolled back", async () => {
  const { requests, shownModel, choose } = setUp("att_2");
  const refused = choose("medium");
  await vi.waitUntil(() => requests.length === 1);
  requests[0]?.refuse();
  await expect(refused).rejects.toThrow("refused");
  expect(shownModel()).toBe("small");
});
