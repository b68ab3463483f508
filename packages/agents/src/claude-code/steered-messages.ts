import { randomUUID } from "node:crypto";
import type { DriverControl } from "../driver/driver-control.ts";
import { isAtLeast } from "../programs/read-version.ts";

/** Older versions answer a message that they receive while working twice. */
const leastVersion = "2.1.0";

type Steering = Extract<DriverControl, { type: "message" }>;

/**
 * Messages that the user sends while Claude Code works. A message counts as accepted when Claude Code reports that it has read it; others
 * stay in Skein's queue for the next execution.
 */
export class SteeredMessages {
  readonly #send: (uuid: string, message: Steering) => void;
  readonly #seen = new Set<string>();
  readonly #unread = new Map<string, Steering>();
  #early: Steering[] = [];
  #takesThem: boolean | undefined;

  constructor(send: (uuid: string, message: Steering) => void) {
    this.#send = send;
  }

  get areUnread(): boolean {
    return this.#unread.size > 0;
  }

  /** Each turn reports the version; earlier messages are sent with the first. */
  begin(version: string | undefined): void {
    this.#takesThem = version !== undefined && isAtLeast(version, leastVersion);
    for (const message of this.#early) this.#pass(message);
    this.#early = [];
  }

  /** Ignores duplicates: the server sends messages again after a restart. */
  add(message: Steering): void {
    if (this.#seen.has(message.id)) return;
    this.#seen.add(message.id);
    if (this.#takesThem === undefined) this.#early.push(message);
    else this.#pass(message);
  }

  /** The message with this id, the first time that Claude Code reports it as read. */
  take(uuid: string): Steering | undefined {
    const message = this.#unread.get(uuid);
    this.#unread.delete(uuid);
    return message;
  }

  #pass(message: Steering): void {
    if (!this.#takesThem) return;
    const uuid = randomUUID();
    this.#unread.set(uuid, message);
    this.#send(uuid, message);
  }
}
