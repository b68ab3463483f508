import { isLoopback, RecentMap, takeEnd, toOneLine } from "@skein/engine";
import { z } from "zod";
import type { ForgeRepository } from "../forge.ts";
import { ForgeError } from "../forge-error.ts";
import { readAtMost } from "./read-at-most.ts";

const timeoutMs = 20_000;
const maxAnswerBytes = 8_000_000;
const maxPages = 10;
const maxRememberedAnswers = 200;
const maxRememberedBytes = 500_000;
const logTailBytes = 6_000;
const maxLogBytes = 50_000_000;
const maxLimitMs = 24 * 60 * 60_000;

export interface ForgeClientOptions {
  repository: ForgeRepository;
  token: string;
  /** Media type that the forge expects in `accept`. */
  accept: string;
  /** Headers of the forge's own, such as the version of its API. */
  headers?: Record<string, string>;
  now?: () => number;
}

interface Answer {
  status: number;
  headers: Headers;
  size: number;
  body: unknown;
}

interface Remembered {
  etag: string;
  body: unknown;
  next: string | undefined;
}

/** HTTP requests to one forge with one token. The token is sent to the origin of its API and nowhere else. */
export interface ForgeClient {
  /** Conditional: an answer that has not changed is returned from memory. */
  get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>>;
  /** Like `get`, for a list with all of its pages, at most ten. `select` finds the items in a page. */
  list<Schema extends z.ZodType>(path: string, schema: Schema, select?: (page: unknown) => unknown): Promise<z.output<Schema>[]>;
  send<Schema extends z.ZodType>(method: "POST" | "PATCH" | "PUT", path: string, body: unknown, schema: Schema): Promise<z.output<Schema>>;
  /** The last kilobytes of a text. A redirect to another host gets no token. Undefined if there is no such text. */
  tail(path: string): Promise<string | undefined>;
}

export function createForgeClient({ repository, token, accept, headers = {}, now = Date.now }: ForgeClientOptions): ForgeClient {
  const { host, apiUrl } = repository;
  const { origin } = new URL(apiUrl);
  const remembered = new RecentMap<string, Remembered>(maxRememberedAnswers);

  async function request(url: string, init: { method?: string; body?: string; etag?: string | undefined } = {}): Promise<Response> {
    assertSafe(url);
    try {
      return await fetch(url, {
        method: init.method ?? "GET",
        headers: {
          ...{ accept, authorization: `Bearer ${token}`, "user-agent": "skein", ...headers },
          ...(init.body === undefined ? {} : { "content-type": "application/json" }),
          ...(init.etag === undefined ? {} : { "if-none-match": init.etag }),
        },
        ...(init.body === undefined ? {} : { body: init.body }),
        // fetch drops `authorization` when a redirect leaves the origin
        redirect: "follow",
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (cause) {
      throw new ForgeError({ code: "forge-unreachable", host }, { cause });
    }
  }

  /** Next pages come from an answer: they must not lead the token elsewhere. */
  function assertSafe(url: string): void {
    if (!URL.canParse(url)) throw new ForgeError({ code: "forge-error", host, reason: "unexpected address of a page" });
    const { origin: wanted, protocol, hostname } = new URL(url);
    if (wanted !== origin) throw new ForgeError({ code: "forge-error", host, reason: `unexpected address ${wanted}` });
    if (protocol !== "https:" && !isLoopback(hostname)) throw new ForgeError({ code: "forge-insecure", host });
  }

  async function readAnswer(response: Response): Promise<Answer> {
    const { status, headers: got } = response;
    try {
      const bytes = await readAtMost(response, maxAnswerBytes);
      return { status, headers: got, size: bytes.byteLength, body: parseJson(bytes.toString("utf8")) };
    } catch (cause) {
      throw new ForgeError({ code: "forge-unreachable", host }, { cause });
    }
  }

  async function read(url: string): Promise<{ body: unknown; next: string | undefined }> {
    const known = remembered.get(url);
    const response = await request(url, { etag: known?.etag });
    if (response.status === 304 && known !== undefined) return known;
    const answer = await readAnswer(response);
    if (!response.ok) throw explain(answer);
    const next = findNext(response.headers.get("link"));
    const etag = response.headers.get("etag");
    if (etag !== null && answer.size <= maxRememberedBytes) remembered.set(url, { etag, body: answer.body, next });
    return { body: answer.body, next };
  }

  function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new ForgeError({ code: "forge-error", host, reason: `unexpected answer: ${issue?.path.join(".")} ${issue?.message}` });
  }

  function explain({ status, headers: got, body }: Answer): ForgeError {
    const said = readMessage(body) || `HTTP ${status}`;
    const until = findRateLimit({ status, headers: got }, now());
    if (until !== undefined) return new ForgeError({ code: "forge-rate-limited", host, until });
    if (status === 401) return new ForgeError({ code: "forge-unauthorized", host });
    if (status === 403) return new ForgeError({ code: "forge-forbidden", host, said });
    if (status === 404) return new ForgeError({ code: "forge-not-found", host, repository: repository.path });
    if (status >= 500) return new ForgeError({ code: "forge-error", host, reason: `HTTP ${status}` });
    return new ForgeError({ code: "forge-rejected", host, said });
  }

  return {
    async get(path, schema) {
      return parse(schema, (await read(`${apiUrl}${path}`)).body);
    },

    async list(path, schema, select = (page) => page) {
      const items: z.output<typeof schema>[] = [];
      let url: string | undefined = `${apiUrl}${path}`;
      for (let page = 0; url !== undefined && page < maxPages; page++) {
        const { body, next }: { body: unknown; next: string | undefined } = await read(url);
        for (const item of parse(z.array(schema), select(body))) items.push(item);
        url = next;
      }
      return items;
    },

    async send(method, path, body, schema) {
      const response = await request(`${apiUrl}${path}`, { method, body: JSON.stringify(body) });
      const answer = await readAnswer(response);
      if (!response.ok) throw explain(answer);
      return parse(schema, answer.body);
    },

    async tail(path) {
      const response = await request(`${apiUrl}${path}`);
      if (!response.ok) {
        await response.body?.cancel();
        return undefined;
      }
      const end = await readAtMost(response, maxLogBytes, { keepLast: logTailBytes * 4 }).catch(() => undefined);
      return end === undefined ? undefined : takeEnd(end.toString("utf8"), logTailBytes);
    },
  };
}

/** Errors of proxies are not JSON. */
function parseJson(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 500);
  }
}

/** The address of the next page (RFC 8288). */
export function findNext(link: string | null): string | undefined {
  for (const part of (link ?? "").split(/,(?=\s*<)/)) {
    const [, url, parameters = ""] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? [];
    if (url !== undefined && /;\s*rel="?next"?/.test(parameters)) return url;
  }
  return undefined;
}

/** When requests are accepted again; undefined if the answer is not about a rate limit. */
export function findRateLimit({ status, headers }: { status: number; headers: Headers }, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const wait = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(wait)) return toLimitEnd(now + wait * 1000, now);
  const isUsedUp = (headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining")) === "0";
  const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
  if (isUsedUp && Number.isFinite(reset)) return toLimitEnd(reset * 1000, now);
  return status === 429 ? now + 60_000 : undefined;
}

/** A time that can be stored, within a day: the next request shows whether the limit still applies. */
function toLimitEnd(until: number, now: number): number {
  return Math.ceil(Math.min(Math.max(now, until), now + maxLimitMs));
}

const detailSchema = z.union([
  z.string(),
  z.object({ message: z.string().optional(), field: z.string().optional(), code: z.string().optional() }),
]);
const failureSchema = z.object({
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.array(detailSchema).optional().catch(undefined),
});

/** What the forge reports, in one line. */
function readMessage(body: unknown): string {
  const parsed = failureSchema.safeParse(body);
  if (!parsed.success) return typeof body === "string" && !body.startsWith("<") ? toOneLine(body).slice(0, 300) : "";
  const { message, error, errors = [] } = parsed.data;
  const details = errors.map((detail) => (typeof detail === "string" ? detail : (detail.message ?? `${detail.field} ${detail.code}`)));
  const parts = [...details, ...(details.length > 0 ? [] : [toWords(message), toWords(error)])];
  return toOneLine(parts.filter((part) => part !== "").join("; ")).slice(0, 300);
}

/** GitLab's messages are texts, lists or lists by field. */
function toWords(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(toWords).join(", ");
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([field, words]) => `${field}: ${toWords(words)}`)
    .join("; ");
}
