import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testId } from "@skein/testkit/builders";
import { expect, onTestFinished, test } from "vitest";
import { createReservedPorts, isListening } from "./reserved-ports.ts";

test("[L9] each attempt has a port of its own, which stays the same until it is released; one that is in use is not given", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-ports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const ports = createReservedPorts(folder);
  const [one, two] = [testId("att", 1), testId("att", 2)];
  expect([await ports.find(one), await ports.listAttempts()]).toEqual([null, []]);
  const first = await ports.reserve(one);
  const [again, second] = await Promise.all([createReservedPorts(folder).reserve(one), ports.reserve(two)]);
  expect(again).toBe(first);
  expect(second).not.toBe(first);
  expect((await ports.listAttempts()).toSorted()).toEqual([one, two]);

  const server = createServer().listen(first, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  expect([await isListening(first), await isListening(second)]).toEqual([true, false]);
  await ports.release(one);
  expect(await ports.find(one)).toBeNull();
  const other = await ports.reserve(one);
  expect(other).not.toBe(first);
  expect(readdirSync(folder).toSorted()).toEqual([String(second), String(other)].toSorted());
});
