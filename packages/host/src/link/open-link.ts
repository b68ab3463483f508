import { setImmediate } from "node:timers/promises";
import type { Channel, ChannelListener } from "./channel.ts";
import { countFrames, createAssembler, LinkProtocolError, toFrame } from "./frames.ts";
import { fromWireError, toWireError } from "./link-error.ts";
import { decodeMessage, encodeMessage, type LinkMessage } from "./link-message.ts";
import { type ConsumedStream, consumeStream, type ProducedStream, produceStream, toStream } from "./link-streams.ts";

/** Protocol version. The connection is closed if the sides differ. Increased when messages or methods change their meaning. */
const linkProtocol = 1;

/**
 * Idle timeout of a connection; each side sends something at least every third of it. As long as the lease of a server: a worker leaves one
 * that is paused when the others give up waiting for it.
 */
const silenceMs = 10_000;
/** Concurrent calls of the other side. */
const maxCalls = 2000;

/** The connection ended before an answer arrived. Whether the call was carried out is not known. */
export class LinkClosedError extends Error {
  override readonly name = "LinkClosedError";
}

/** Answers a call: a promise of plain data, or an async iterable of it. */
export type LinkHandler = (...args: unknown[]) => unknown;

/** Calls and streams over a channel, in both directions. */
export interface Link {
  /** Resolves with the facts of the other side when the link opens. Rejects if the connection ends first. */
  readonly opened: Promise<unknown>;
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<string>;
  /** Throws if an argument is not plain data; rejects with `LinkClosedError`, or with the error of the other side. */
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  /** Calls a method that returns an async iterable. Its items are requested as they are taken. */
  stream(method: string, args: readonly unknown[]): AsyncIterableIterator<unknown>;
  close(reason: string): void;
}

interface Outgoing {
  number: number;
  message: Uint8Array;
  next: number;
}

/**
 * Opens a link. A message that violates the protocol closes it; a call that fails, whatever the reason, is answered with the error. So the
 * other side can neither stop this process nor fill its memory.
 */
export function openLink(input: { channel: Channel; facts?: unknown; findHandler(method: string): LinkHandler | undefined }): Link {
  const { channel } = input;
  const opened = Promise.withResolvers<unknown>();
  const closed = Promise.withResolvers<string>();
  opened.promise.catch(() => {});
  const assemble = createAssembler();
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const consumed = new Map<number, ConsumedStream>();
  const produced = new Map<number, ProducedStream>();
  const outgoing: Outgoing[] = [];
  let isClosed = false;
  let isGreeted = false;
  let isSending = false;
  let running = 0;
  let lastId = 0;
  let lastNumber = 0;
  let heardAt = performance.now();
  let sentAt = heardAt;

  function send(message: LinkMessage): void {
    if (isClosed) return;
    lastNumber = (lastNumber + 1) >>> 0;
    outgoing.push({ number: lastNumber, message: encodeMessage(message, produce), next: 0 });
    if (!isSending) void sendFrames();
  }

  /** One frame of each message in turn. */
  async function sendFrames(): Promise<void> {
    isSending = true;
    try {
      for (let one = outgoing.shift(); one !== undefined && !isClosed; one = outgoing.shift()) {
        channel.send(toFrame(one.message, one.number, one.next++));
        sentAt = performance.now();
        if (one.next < countFrames(one.message)) {
          outgoing.push(one);
          await setImmediate(); // lets messages that were queued meanwhile take their turn
        }
        const writable = channel.whenWritable();
        if (writable !== undefined) await writable;
      }
    } catch (error) {
      end(`sending failed: ${String(error)}`);
    } finally {
      isSending = false;
    }
  }

  function produce(source: AsyncIterable<unknown>): number {
    const id = ++lastId;
    produced.set(
      id,
      produceStream(source, {
        item: (value) => send({ type: "item", stream: id, value }),
        end(error) {
          produced.delete(id);
          send({ type: "end", stream: id, ...(error === undefined ? {} : { error: toWireError(error) }) });
        },
      }),
    );
    return id;
  }

  function consume(id: number): ConsumedStream {
    if (consumed.has(id)) throw new LinkProtocolError("a stream that is already open");
    const stream = consumeStream({
      pull: (items) => send({ type: "pull", stream: id, items }),
      cancel() {
        consumed.delete(id);
        send({ type: "cancel", stream: id });
      },
    });
    consumed.set(id, stream);
    return stream;
  }

  async function answer(id: number, method: string, args: unknown[]): Promise<void> {
    if (running >= maxCalls) throw new LinkProtocolError("too many calls at once");
    running++;
    try {
      const handle = input.findHandler(method);
      if (handle === undefined) throw new Error(`There is no method ${method}.`);
      const value = await handle(...args);
      send({ type: "result", id, value });
    } catch (error) {
      send({ type: "failed", id, error: toWireError(error) });
    } finally {
      running--;
    }
  }

  function receive(message: LinkMessage): void {
    if (!isGreeted && message.type !== "hello") throw new LinkProtocolError("a message before the first");
    switch (message.type) {
      case "hello":
        if (message.protocol !== linkProtocol) throw new LinkProtocolError(`protocol ${message.protocol} instead of ${linkProtocol}`);
        isGreeted = true;
        opened.resolve(message.facts);
        break;
      case "call":
        answer(message.id, message.method, message.args).catch((error: unknown) => end(String(error)));
        break;
      case "result":
      case "failed": {
        const call = calls.get(message.id);
        calls.delete(message.id);
        if (message.type === "result") call?.resolve(message.value);
        else call?.reject(fromWireError(message.error));
        break;
      }
      case "pull":
        produced.get(message.stream)?.pull(message.items);
        break;
      case "cancel":
        produced.get(message.stream)?.cancel();
        produced.delete(message.stream);
        break;
      case "item":
        consumed.get(message.stream)?.push(message.value);
        break;
      case "end":
        consumed.get(message.stream)?.end(message.error && fromWireError(message.error));
        consumed.delete(message.stream);
        break;
      case "ping":
        break;
    }
  }

  function end(reason: string): void {
    if (isClosed) return;
    isClosed = true;
    clearInterval(watching);
    channel.close(reason);
    outgoing.length = 0;
    const error = new LinkClosedError(`The connection was lost: ${reason}`);
    for (const call of calls.values()) call.reject(error);
    for (const stream of consumed.values()) stream.end(error);
    for (const stream of produced.values()) stream.cancel();
    calls.clear();
    consumed.clear();
    produced.clear();
    opened.reject(error);
    closed.resolve(reason);
  }

  function watch(): void {
    const now = performance.now();
    if (now - heardAt > silenceMs) end("no sign of life");
    else if (now - sentAt > silenceMs / 3) send({ type: "ping" });
  }

  const listener: ChannelListener = {
    onFrame(frame) {
      heardAt = performance.now();
      if (isClosed) return;
      try {
        const bytes = assemble(frame);
        if (bytes !== undefined) receive(decodeMessage(bytes, consume));
      } catch (error) {
        end(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
      }
    },
    onClose: end,
  };
  const watching = setInterval(watch, silenceMs / 6).unref();
  channel.listen(listener);
  send({ type: "hello", protocol: linkProtocol, facts: input.facts ?? {} });

  function call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (isClosed) return Promise.reject(new LinkClosedError("The connection is closed."));
    const id = ++lastId;
    const answered = Promise.withResolvers<unknown>();
    calls.set(id, answered);
    try {
      send({ type: "call", id, method, args: [...args] });
    } catch (error) {
      calls.delete(id);
      throw error;
    }
    return answered.promise;
  }

  return {
    opened: opened.promise,
    closed: closed.promise,
    call,
    stream: (method, args) => toStream(call(method, args)),
    close: end,
  };
}
