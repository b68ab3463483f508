import { type ClientRequest, get } from "node:http";
import type { ConversationPage } from "@skein/contracts";
import type { Random } from "../random.mjs";
import type { ClientTarget } from "./client-protocol.ts";
import { FoldedConversation } from "./folded-conversation.ts";
import { SeqSegments } from "./seq-segments.ts";
import { ShownRecord } from "./shown-record.ts";
import { type SseFrame, SseFrames } from "./sse-frames.ts";

export interface SseClientOptions {
  name: string;
  targets: readonly ClientTarget[];
  random: Random;
  /** Measures the delay of agents' lines. */
  measures: boolean;
  /** Remembers every message of every task. */
  audits: boolean;
  onViolation(invariant: string, detail: string): void;
  onDelay(ms: number): void;
  onReconnect(ms: number): void;
}

const delaysMs = [250, 400, 650, 1000];
/** A server sends something at least every 15 seconds. */
const silenceMs = 40_000;
const pageMessages = 200;

/** A browser without its pages: one event stream, the numbers of its events, and one open conversation. Connects again after each failure, to the next server. */
export class SseClient {
  readonly #options: SseClientOptions;
  readonly seqs = new SeqSegments();
  readonly closedConversations: FoldedConversation[] = [];
  conversation: FoldedConversation | undefined;
  readonly audit: ShownRecord | undefined;
  isConnected = false;
  frames = 0;
  bytes = 0;
  #request: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #target = 0;
  #failures = 0;
  #lostAt: number | undefined;
  #isClosed = false;
  #isJumping = false;
  #isLoading = false;
  readonly #newestParts = new Map<string, number>();

  constructor(options: SseClientOptions) {
    this.#options = options;
    this.audit = options.audits ? new ShownRecord() : undefined;
    this.#target = options.random.between(0, options.targets.length - 1);
  }

  get target(): ClientTarget {
    const { targets } = this.#options;
    const target = targets[this.#target % targets.length];
    if (target === undefined) throw new Error("There is no server.");
    return target;
  }

  connect(): void {
    // a task may be opened while it waits for the next attempt
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const { url, host, token } = this.target;
    const after = this.seqs.lastSeq === undefined ? "" : `&after=${this.seqs.lastSeq}`;
    const headers = { host, authorization: `Bearer ${token}` };
    const request = get(new URL(`/api/events?repeats=short&mergeMode=live${after}`, url), { headers, agent: false });
    this.#request = request;
    let isOver = false;
    const fail = (): void => {
      if (isOver) return;
      isOver = true;
      request.destroy();
      if (this.#request === request) this.#retry();
    };
    request.setTimeout(silenceMs, fail);
    request.on("error", fail).on("response", (response) => {
      response.on("error", fail).on("close", fail);
      if (response.statusCode !== 200) {
        if (response.statusCode !== 503 && response.statusCode !== 502)
          this.#violate("streams open", `${host} answered ${response.statusCode}`);
        return fail();
      }
      this.#opened();
      const frames = new SseFrames();
      response.setEncoding("utf8").on("data", (chunk: string) => {
        if (isOver) return;
        this.bytes += chunk.length;
        if (this.#options.measures) this.#measure(chunk);
        for (const frame of frames.read(chunk)) if (this.#receive(frame) === "misfit") return fail();
      });
    });
  }

  #opened(): void {
    this.isConnected = true;
    this.#failures = 0;
    this.#isJumping = false;
    if (this.#lostAt !== undefined) this.#options.onReconnect(performance.now() - this.#lostAt);
    this.#lostAt = undefined;
    this.conversation?.shown.reconnected();
    this.audit?.reconnected();
    if (this.conversation?.needsPage) void this.#loadPage();
  }

  #retry(): void {
    if (this.isConnected) this.#lostAt = performance.now();
    this.isConnected = false;
    if (this.#isClosed) return;
    this.#target++;
    const delay = delaysMs[Math.min(this.#failures++, delaysMs.length - 1)] ?? 1000;
    this.#timer = setTimeout(() => this.connect(), delay * (0.75 + this.#options.random.number() / 2));
  }

  #receive(frame: SseFrame): "misfit" | "applied" {
    this.frames++;
    const { id, event } = frame;
    // without a number, only live messages and the server's health are sent; all else replaces a replay
    if (event === "state:conversation-sync" || (id === undefined && event !== undefined && !/^(message:|server:health)/.test(event))) {
      this.#isJumping = true;
    }
    if (id !== undefined) {
      if (event === undefined || this.#isJumping) {
        this.seqs.jump(id);
        this.#isJumping = false;
      } else if (!this.seqs.add(id)) {
        this.#violate(
          "every client sees one order of events, none twice",
          `${this.target.name} sent ${id} (${event}) after ${this.seqs.lastSeq}`,
        );
      }
    }
    const { conversation } = this;
    if (this.audit?.read(frame) === "misfit") return "misfit";
    if (conversation === undefined) return "applied";
    const result = conversation.apply(frame);
    if (conversation.needsPage) void this.#loadPage();
    return result;
  }

  #violate(invariant: string, detail: string): void {
    this.#options.onViolation(invariant, `${this.#options.name}: ${detail}`);
  }

  /** The newest part of each run: repeats and replays of older ones do not count. */
  #measure(chunk: string): void {
    const now = Date.now();
    for (const [, run = "", part, sentAt] of chunk.matchAll(/«(\d+):(\d+):(\d+)»/g)) {
      if (Number(part) <= (this.#newestParts.get(run) ?? -1)) continue;
      this.#newestParts.set(run, Number(part));
      this.#options.onDelay(now - Number(sentAt));
    }
  }

  /** As a user who opens another task. Its connection starts anew, as that of a new page. */
  open(taskId: string): void {
    if (this.conversation !== undefined) this.closedConversations.push(this.conversation);
    this.conversation = new FoldedConversation(taskId);
    const request = this.#request;
    this.#request = undefined;
    this.isConnected = false;
    request?.destroy();
    this.connect();
  }

  async #loadPage(): Promise<void> {
    const { conversation } = this;
    if (conversation === undefined || this.#isLoading || !this.isConnected) return;
    this.#isLoading = true;
    try {
      const { url, host, token } = this.target;
      const path = `/api/tasks/${conversation.taskId}/conversation?limit=${pageMessages}&mergeMode=live`;
      const page = await readJson<ConversationPage>(new URL(path, url), { host, authorization: `Bearer ${token}` });
      conversation.applyPage(page);
    } catch {
      // the stream ends as well, or the next event tries again
    } finally {
      this.#isLoading = false;
    }
    if (conversation.needsPage) setTimeout(() => void this.#loadPage(), 500);
  }

  close(): void {
    this.#isClosed = true;
    this.#request?.destroy();
  }
}

/** `fetch` does not send another host. */
function readJson<T>(url: URL, headers: Record<string, string>): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, timeout: 20_000 }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", reject).on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${url.pathname}: ${response.statusCode}`));
      });
    });
    request.on("timeout", () => request.destroy(new Error("timeout"))).on("error", reject);
  });
}
