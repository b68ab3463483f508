import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import {
  type Actor,
  type AutomationRun,
  createId,
  type createIncomingHookSchema,
  type HookReceipt,
  type IncomingHook,
  type IncomingHookId,
  type IssuedHook,
  type ProjectId,
  type UpdateIncomingHook,
} from "@skein/contracts";
import { ServiceError, type StorageReader, type StoredAutomation } from "@skein/engine";
import type { z } from "zod";
import { checkAction, toRequest } from "./automation-request.ts";
import { closeRun, openRun, toAutomationRun, toReason } from "./automation-runs.ts";
import { checkAutomationUser } from "./automation-user.ts";
import { toHookValues } from "./hook-values.ts";
import { getProject, missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import { parseHook, type StoredHook, toHookRow } from "./stored-hook.ts";

const shownRuns = 50;
/** Deliveries that a webhook may receive at once, and in a minute. */
const perMinute = 60;
/** Webhooks whose deliveries are counted; the oldest are forgotten. */
const maxCounted = 1000;

/** What another program sends. */
export interface HookDelivery {
  /** Whether it knows the secret; compared in constant time. */
  isSignedWith(secret: string): boolean;
  /** The sender's own id, which it repeats when it sends it again. */
  id: string | undefined;
  event: string | undefined;
  /** JSON. */
  body: string;
}

/** Lets other programs start tasks and send messages. */
export interface IncomingHookService {
  /** By name. `projectIds`: only of these. */
  list(query: { projectIds?: readonly ProjectId[] | undefined }): Promise<IncomingHook[]>;
  get(id: IncomingHookId): Promise<IncomingHook>;
  create(input: z.output<typeof createIncomingHookSchema>, by?: Actor): Promise<IssuedHook>;
  /** `by` takes it over: what it starts is theirs. */
  update(id: IncomingHookId, changes: UpdateIncomingHook, by?: Actor): Promise<IncomingHook>;
  /** A new secret; the old one is refused from now on. */
  rotate(id: IncomingHookId): Promise<IssuedHook>;
  remove(id: IncomingHookId): Promise<void>;
  /** The newest first. */
  runs(id: IncomingHookId): Promise<AutomationRun[]>;
  /** Rejects with `delivery-refused` without the secret, whether there is such a webhook or not, and with `webhook-limited`. */
  receive(id: IncomingHookId, delivery: HookDelivery): Promise<HookReceipt>;
}

export function createIncomingHookService(
  { storage, now, jobs }: Pick<ServiceContext, "storage" | "now" | "jobs">,
  readSecret: () => string,
): IncomingHookService {
  const limit = createLimit(now);
  // derived: the database has no secret that could be read
  const toSecret = ({ id, salt }: Pick<StoredHook, "id" | "salt">): string =>
    `skh_${createHmac("sha256", readSecret()).update(`incoming webhook ${id} ${salt}`).digest("base64url")}`;
  const newSalt = () => randomBytes(16).toString("hex");

  const save = (prepare: (reader: StorageReader) => Promise<StoredHook>): Promise<IssuedHook> =>
    storage.transaction(async (tx) => {
      const hook = await prepare(tx);
      await getProject(tx, hook.projectId);
      await checkAction(tx, { ...hook, known: "all" });
      await tx.putAutomation(toHookRow(hook));
      return { hook: await describe(tx, hook), secret: toSecret(hook) };
    });

  return {
    list: ({ projectIds }) =>
      storage.snapshot(async (reader) => {
        const hooks = (await reader.listAutomations({ kind: "incoming-hook", projectIds })).map(parseHook);
        return Promise.all(hooks.map((hook) => describe(reader, hook)));
      }),
    get: (id) => storage.snapshot(async (reader) => describe(reader, await find(reader, id))),
    create(input, by) {
      const at = now();
      return save(async () => ({ ...input, id: createId("hok", at), salt: newSalt(), ...(by && { by }), createdAt: at, updatedAt: at }));
    },
    async update(id, changes, by) {
      const { hook } = await save(async (reader) => {
        const { by: _, ...before } = await find(reader, id);
        return { ...before, ...changes, ...(by && { by }), updatedAt: now() };
      });
      return hook;
    },
    rotate: (id) => save(async (reader) => ({ ...(await find(reader, id)), salt: newSalt(), updatedAt: now() })),
    remove: (id) =>
      storage.transaction(async (tx) => {
        if (!(await tx.deleteAutomation({ id }))) missing("webhook", id);
      }),
    async runs(id) {
      await find(storage.read, id);
      return (await storage.read.listAutomationRuns({ automationId: id, limit: shownRuns })).map(toAutomationRun);
    },
    async receive(id, { isSignedWith, id: deliveryId, event, body }) {
      limit(id);
      const automation = await storage.read.findAutomation({ id });
      const hook = automation && parseHook(automation);
      // the same work and the same answer for an unknown one
      const signed = isSignedWith(toSecret(hook ?? { id, salt: "" }));
      if (automation === undefined || hook === undefined || !signed) throw new ServiceError("forbidden", { code: "delivery-refused" });
      const key = deliveryId ?? randomUUID();
      if (event === "ping") return { status: "ignored", delivery: key };
      if (!hook.enabled) throw new ServiceError("conflict", { code: "webhook-off" });
      const values = toHookValues(parseBody(body), event);
      return accept(automation, hook, { key, values });
    },
  };

  /** The run, its job and the id of the delivery are saved before the sender gets an answer: all of it, or nothing. */
  function accept(
    automation: StoredAutomation,
    hook: StoredHook,
    { key, values }: { key: string; values: ReadonlyMap<string, string> },
  ): Promise<HookReceipt> {
    return storage.transaction(async (tx) => {
      if ((await tx.findAutomationRun({ automationId: hook.id, key })) !== undefined) return { status: "duplicate", delivery: key };
      const { by } = automation;
      const decided = { automation, key, at: now(), isManual: false, by };
      try {
        await checkAutomationUser(tx, hook.projectId, by);
        const request = await toRequest(tx, {
          ...hook,
          id: `hook-${createHash("sha256").update(`${hook.id} ${key}`).digest("hex")}`,
          values,
          outside: hook.name,
        });
        const project = await tx.findProject({ id: hook.projectId });
        await openRun(tx, jobs, { ...decided, request, nodeId: project?.nodeId });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        await closeRun(tx, { ...decided, state: "failed", reason: toReason(error) });
      }
      return { status: "accepted", delivery: key };
    });
  }
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body === "" ? "{}" : body);
  } catch (error) {
    throw new ServiceError("invalid", { code: "malformed-json", ...(error instanceof Error ? { reason: error.message } : {}) });
  }
}

/** Counts deliveries, right or wrong: a sender in a loop must not fill the board. */
function createLimit(now: () => number): (id: IncomingHookId) => void {
  const counted = new Map<IncomingHookId, { left: number; at: number }>();
  return (id) => {
    const at = now();
    const before = counted.get(id) ?? { left: perMinute, at };
    const left = Math.min(perMinute, before.left + ((at - before.at) / 60_000) * perMinute);
    if (left < 1) throw new ServiceError("unavailable", { code: "webhook-limited", seconds: Math.ceil((1 - left) * (60 / perMinute)) });
    counted.delete(id);
    counted.set(id, { left: left - 1, at });
    const [oldest] = counted.keys();
    if (counted.size > maxCounted && oldest !== undefined) counted.delete(oldest);
  };
}

async function find(reader: StorageReader, id: IncomingHookId): Promise<StoredHook> {
  const stored = await reader.findAutomation({ id });
  return stored === undefined ? missing("webhook", id) : parseHook(stored);
}

async function describe(reader: StorageReader, { salt: _, ...hook }: StoredHook): Promise<IncomingHook> {
  const [last] = await reader.listAutomationRuns({ automationId: hook.id, limit: 1 });
  return { ...hook, lastRun: last === undefined ? null : toAutomationRun(last) };
}
