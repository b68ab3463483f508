import { ServiceError } from "@skein/engine";
import type { Host } from "../port/host.ts";

/**
 * A host behind a connection: arguments, results and errors cross as JSON text, as they would to another machine. Throws for anything
 * that is not plain data.
 */
export function wireHost(host: Host): Host {
  return wireObject(host, "host") as Host;
}

/** Nested objects (`host.workspaces`) are interfaces of their own if they have methods, and data otherwise. */
function wireObject(target: object, name: string): object {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key);
      const path = `${name}.${String(key)}`;
      if (typeof value === "function")
        return (...args: unknown[]) => wireCall(() => value.call(target, ...args.map((arg) => cross(arg, path))), path);
      if (typeof value === "object" && value !== null && Object.values(value).some((inner) => typeof inner === "function"))
        return wireObject(value, path);
      return cross(value, path);
    },
  });
}

function wireCall(call: () => unknown, path: string): unknown {
  const result = call();
  if (isIterable(result)) return cross(result, path);
  return (result as Promise<unknown>).then(
    (value) => cross(value, path),
    (error: unknown) => {
      throw crossError(error);
    },
  );
}

function cross(value: unknown, path: string): unknown {
  if (isIterable(value)) return crossEach(value, path);
  if (typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).some(isIterable)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cross(inner, `${path}.${key}`)]));
  }
  assertPlain(value, path);
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, encodeBytes), decodeBytes);
}

function crossEach(source: AsyncIterable<unknown>, path: string): AsyncIterableIterator<unknown> {
  const iterator = source[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value } = await iterator.next();
      return done ? { done, value: undefined } : { done: false, value: cross(value, path) };
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The receiver knows expected failures, and codes of the system. */
function crossError(error: unknown): Error {
  if (error instanceof ServiceError) return new ServiceError(error.kind, error.text);
  const { message = String(error), code } = error as NodeJS.ErrnoException;
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function assertPlain(value: unknown, path: string): void {
  if (value === null || value === undefined || ["string", "number", "boolean"].includes(typeof value) || value instanceof Uint8Array)
    return;
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) assertPlain(inner, `${path}[${index}]`);
    return;
  }
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError(`${path} is not plain data`);
  for (const [key, inner] of Object.entries(value)) assertPlain(inner, `${path}.${key}`);
}

/** `Buffer` has a `toJSON` of its own, which is called before a replacer sees it. */
function encodeBytes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  return original instanceof Uint8Array ? { "<bytes>": Buffer.from(original).toString("base64") } : value;
}

function decodeBytes(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("<bytes>" in value)) return value;
  return new Uint8Array(Buffer.from(String(value["<bytes>"]), "base64"));
}
