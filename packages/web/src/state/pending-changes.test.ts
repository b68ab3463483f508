import { expect, test } from "vitest";
import { createPendingChanges } from "./pending-changes.ts";

interface Flags {
  auto?: boolean;
  enabled?: boolean;
}

/** A server whose answers come when the test lets them. */
function createServer() {
  const requests: { changes: Flags; answer(): void; refuse(): void }[] = [];
  const state = { saved: { auto: true, enabled: true } };
  const send = (changes: Flags) =>
    new Promise<typeof state.saved>((resolve, reject) => {
      const answer = () => {
        state.saved = { ...state.saved, ...changes };
        resolve(state.saved);
      };
      requests.push({ changes, answer, refuse: () => reject(new Error("the disk is full")) });
    });
  return { requests, changes: createPendingChanges(send) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("[R10] a change is shown until its own answer: the answer to an earlier one does not take it back", async () => {
  const { requests, changes } = createServer();
  const shown: boolean[] = [];
  let saved = { auto: true, enabled: true };
  const onSaved = (answer: typeof saved) => {
    saved = answer;
  };
  changes.pending.subscribe(() => shown.push(Object.assign({}, saved, ...changes.pending.get()).auto));
  const first = changes.save({ auto: false }, onSaved);
  const second = changes.save({ auto: true }, onSaved);
  await settled();
  // in the order in which they were made, whatever way the requests take
  expect(requests.map((request) => request.changes)).toEqual([{ auto: false }]);
  requests[0]?.answer();
  await first;
  requests[1]?.answer();
  await second;
  expect(shown).toEqual([false, true, true, true]);
  expect(saved).toEqual({ auto: true, enabled: true });
});

test("[R10] a change that cannot be saved is rolled back and reported; the next ones are saved", async () => {
  const { requests, changes } = createServer();
  const answers: unknown[] = [];
  const refused = changes.save({ auto: false }, () => {});
  const kept = changes.save({ enabled: false }, (answer) => answers.push(answer));
  await settled();
  requests[0]?.refuse();
  await expect(refused).rejects.toThrow("the disk is full");
  expect(changes.pending.get()).toEqual([{ enabled: false }]);
  requests[1]?.answer();
  await kept;
  expect([answers, changes.pending.get()]).toEqual([[{ auto: true, enabled: false }], []]);
});
