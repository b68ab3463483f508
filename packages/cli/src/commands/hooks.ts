import {
  automationRunSchema,
  type CreateIncomingHook,
  type IncomingHook,
  type IssuedHook,
  incomingHookSchema,
  issuedHookSchema,
  type Project,
  projectSchema,
} from "@skein/contracts";
import { actionNames, checkTarget, findByName, readTarget, type TargetOptions, toMinute } from "../automations/action-target.ts";
import { formatRuns } from "../automations/format-runs.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { exitCode } from "../exit-code.ts";
import { formatTable } from "../format/table.ts";
import { toRevealedLine } from "../terminal/terminal-text.ts";

interface Options {
  home?: string;
  json?: boolean;
}

type NewHookOptions = Options & TargetOptions;

/** `skein hooks` */
export async function hooks(options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const [all, projects] = await Promise.all([
    client.get("/api/incoming-hooks", incomingHookSchema.array()),
    client.get("/api/projects", projectSchema.array()),
  ]);
  console.log(options.json ? JSON.stringify(all, null, 2) : formatList(all, projects));
  return exitCode.success;
}

/** `skein hooks add` */
export async function addHook(name: string, prompt: string | undefined, options: NewHookOptions): Promise<number> {
  checkTarget(prompt, options);
  await using connection = await connect(options);
  const { client } = connection;
  const target = await readTarget(client, prompt, options);
  const issued = await client.post("/api/incoming-hooks", { ...target, name } satisfies CreateIncomingHook, issuedHookSchema);
  printIssued(client, issued, options);
  return exitCode.success;
}

/** `skein hooks rotate`, `on`, `off` and `remove`. */
export async function changeHook(action: "rotate" | "on" | "off" | "remove", text: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const hook = await findHook(client, text);
  const path = `/api/incoming-hooks/${hook.id}`;
  const name = toRevealedLine(hook.name);
  if (action === "rotate") {
    printIssued(client, await client.post(`${path}/rotate`, {}, issuedHookSchema), options);
  } else if (action === "remove") {
    await client.request(path, { method: "DELETE" });
    console.log(`Deleted ${name}.`);
  } else {
    await client.send("PATCH", path, { enabled: action === "on" }, incomingHookSchema);
    console.log(`${name} is ${action}.`);
  }
  return exitCode.success;
}

/** `skein hooks runs` */
export async function hookRuns(text: string, options: Options): Promise<number> {
  await using connection = await connect(options);
  const { client } = connection;
  const hook = await findHook(client, text);
  const runs = await client.get(`/api/incoming-hooks/${hook.id}/runs`, automationRunSchema.array());
  console.log(options.json ? JSON.stringify(runs, null, 2) : formatRuns(runs));
  return exitCode.success;
}

function printIssued(client: ApiClient, { hook, secret }: IssuedHook, { json }: Options): void {
  const url = new URL(`/api/hooks/${hook.id}`, client.url).href;
  const lines = `${toRevealedLine(hook.name)} (${hook.id})\nAddress: ${url}\nSecret, shown this once: ${secret}`;
  console.log(json ? JSON.stringify({ url, secret, hook }, null, 2) : lines);
}

async function findHook(client: ApiClient, text: string): Promise<IncomingHook> {
  const all = await client.get("/api/incoming-hooks", incomingHookSchema.array());
  return findByName(all, text, { one: "webhook", list: "skein hooks" });
}

function formatList(all: readonly IncomingHook[], projects: readonly Project[]): string {
  if (all.length === 0) return 'No incoming webhooks yet. Create one: skein hooks add <name> "<prompt with {{variables}}>"';
  const rows = all.map((hook) => [
    hook.id,
    toRevealedLine(projects.find(({ id }) => id === hook.projectId)?.name ?? ""),
    toRevealedLine(hook.name),
    hook.enabled ? "on" : "off",
    hook.lastRun === null ? "never" : `${toMinute(hook.lastRun.at)} ${hook.lastRun.state}`,
    actionNames[hook.action.type],
  ]);
  return formatTable(["WEBHOOK", "PROJECT", "NAME", "STATE", "LAST", "DOES"], rows);
}
