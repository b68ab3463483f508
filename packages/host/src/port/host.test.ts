import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testId } from "@skein/testkit";
import { expect, expectTypeOf, onTestFinished, test } from "vitest";
import { createLocalHost } from "../local/create-local-host.ts";
import { connectInMemory } from "../testing/connect-in-memory.ts";
import type { HostAgents } from "./agents.ts";
import type { Executions } from "./executions.ts";
import type { Host } from "./host.ts";
import type { Terminals } from "./terminals.ts";
import type { Transfers } from "./transfers.ts";
import type { Workspaces } from "./workspaces.ts";

type Leaf = string | number | boolean | null | undefined | Uint8Array;

/** What in a type is not plain data; never if all of it is. JSON values nest without end: a few levels show what they are. */
type NotPlain<T, Depth extends 0[] = []> = Depth["length"] extends 7
  ? never
  : [unknown] extends [T]
    ? "unknown"
    : T extends Leaf
      ? never
      : T extends (...args: never[]) => unknown
        ? "function"
        : T extends AsyncIterable<infer Item>
          ? NotPlain<Item, [...Depth, 0]>
          : T extends readonly (infer Item)[]
            ? NotPlain<Item, [...Depth, 0]>
            : { [Key in keyof T]-?: NotPlain<T[Key], [...Depth, 0]> }[keyof T];

/** Names of the members whose arguments or results are not plain data. */
type NotPlainMembers<Port> = {
  [Name in keyof Port]-?: Port[Name] extends (...args: infer Args) => infer Result
    ? [NotPlain<Args> | NotPlain<Awaited<Result>>] extends [never]
      ? never
      : Name
    : [NotPlain<Port[Name]>] extends [never]
      ? never
      : Name;
}[keyof Port];

test("arguments and results of the port are plain data, or async iterables of it", () => {
  expectTypeOf<NotPlainMembers<Executions>>().toBeNever();
  expectTypeOf<NotPlainMembers<Workspaces>>().toBeNever();
  expectTypeOf<NotPlainMembers<HostAgents>>().toBeNever();
  expectTypeOf<NotPlainMembers<Transfers>>().toBeNever();
  expectTypeOf<NotPlainMembers<Terminals>>().toBeNever();
  expectTypeOf<NotPlainMembers<Omit<Host, "workspaces" | "executions" | "agents" | "transfers" | "terminals">>>().toBeNever();
  // it can fail
  expectTypeOf<NotPlainMembers<{ stop(signal: AbortSignal): void; list(): Promise<Map<string, string>>; size: number }>>().toEqualTypeOf<
    "stop" | "list"
  >();
});

test("a host behind a connection behaves like the one that it is connected to", async () => {
  const home = mkdtempSync(join(tmpdir(), "skein-wire-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const local = createLocalHost({ home, searchPath: undefined, readRunnerSecret: () => "secret" });
  const { host } = connectInMemory(local);
  const id = testId("exe", 1);

  expect(host.environment).toEqual(local.environment);
  await host.executions.prepare({ id });
  await host.executions.writeHistory({
    id,
    pieces: (async function* () {
      yield "one\n";
      yield "two\n";
    })(),
  });
  mkdirSync(join(home, "spill", id), { recursive: true });
  writeFileSync(join(home, "spill", id, "long.txt"), "long output");
  expect(await host.executions.findOutput({ id, name: "long.txt" })).toEqual({ size: 11 });
  const bytes: Uint8Array[] = [];
  for await (const chunk of host.executions.readOutput({ id, name: "long.txt" })) bytes.push(chunk);
  expect(Buffer.concat(bytes).toString()).toBe("long output");
  expect(await host.executions.findOutput({ id, name: "../token" })).toBe(null);

  expect(await host.executions.abandon({ id, exit: { exitCode: 1, signal: null, endedAt: 5 } })).toBe(true);
  const notices = [];
  for await (const notice of host.executions.attach({ id })) notices.push(notice);
  expect(notices).toEqual([{ type: "ended", exit: { exitCode: 1, signal: null, endedAt: 5 } }]);

  await expect(host.workspaces.inspectRepository({ path: join(home, "none") })).rejects.toThrow();
  const signal = AbortSignal.abort() as unknown as number;
  expect(() => host.workspaces.emptyTrash({ limit: signal })).toThrow("host.workspaces.emptyTrash.limit is not plain data");
});
