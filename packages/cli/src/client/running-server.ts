import { readFile } from "node:fs/promises";
import path from "node:path";
import { healthSchema } from "@skein/contracts";

export interface ServerAddress {
  url: string;
  token: string;
}

const patienceMs = 2_000;

/** The server of this data dir, if one responds. Its file may be left over from one that was killed. */
export async function findRunningServer(home: string): Promise<ServerAddress | undefined> {
  const url = await readUrl(home);
  if (url === undefined || !(await answers(url))) return undefined;
  const token = await readFile(path.join(home, "token"), "utf8").catch(() => undefined);
  return token === undefined ? undefined : { url, token: token.trim() };
}

async function readUrl(home: string): Promise<string | undefined> {
  try {
    const record: unknown = JSON.parse(await readFile(path.join(home, "server.json"), "utf8"));
    const url = typeof record === "object" && record !== null && "url" in record ? record.url : undefined;
    return typeof url === "string" ? url : undefined;
  } catch {
    return undefined;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/health", url), { signal: AbortSignal.timeout(patienceMs) });
    return response.ok && healthSchema.safeParse(await response.json()).success;
  } catch {
    return false;
  }
}
