import { z } from "zod";
import type { Host } from "../port/host.ts";
import type { Channel } from "./channel.ts";
import { checkedResults, type HostPart, hostMethods } from "./host-methods.ts";
import { type Link, type LinkHandler, openLink } from "./open-link.ts";

const factsSchema = z.looseObject({ environment: z.record(z.string(), z.string()), startsAtOnce: z.int().positive() });

/** A host at the other end of a link. */
export interface ConnectedHost {
  host: Host;
  link: Link;
  /** The facts that the other side sent when the link opened. */
  facts: unknown;
}

/**
 * Connects to a host that `serveHost` serves. Calls reject with the errors of the host, or with `LinkClosedError` when the connection is
 * lost. Rejects if the other side is not a host.
 * @param input.own methods that the host may call
 */
export async function connectHost(input: { channel: Channel; own?: Readonly<Record<string, LinkHandler>> }): Promise<ConnectedHost> {
  const { own = {} } = input;
  const link = openLink({ channel: input.channel, findHandler: (method) => (Object.hasOwn(own, method) ? own[method] : undefined) });
  const facts = await link.opened;
  const known = factsSchema.safeParse(facts);
  if (!known.success) {
    link.close("not a host");
    throw new Error("The other side is not a host.", { cause: known.error });
  }
  const { environment, startsAtOnce } = known.data;
  return { host: toHost(link, { environment, startsAtOnce }), link, facts };
}

/** The host at the other end of a link, whose facts are known. */
export function toHost(link: Link, facts: Pick<Host, "environment" | "startsAtOnce">): Host {
  const parts = Object.keys(hostMethods).map((part) => [part, toPart(link, part as HostPart)]);
  return { ...facts, ...Object.fromEntries(parts), measure: () => link.call("measure", []) } as Host;
}

function toPart(link: Link, part: HostPart): Record<string, LinkHandler> {
  const methods = Object.entries(hostMethods[part]).map(([name, kind]): [string, LinkHandler] => {
    const path = `${part}.${name}`;
    const checked = checkedResults[path];
    if (kind === "stream") return [name, (...args) => checkItems(link.stream(path, args), checked)];
    if (checked === undefined) return [name, (...args) => link.call(path, args)];
    return [name, (...args) => link.call(path, args).then((value) => checked.parse(value))];
  });
  return Object.fromEntries(methods);
}

function checkItems(source: AsyncIterableIterator<unknown>, schema: z.ZodType | undefined): AsyncIterableIterator<unknown> {
  if (schema === undefined) return source;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const { done, value } = await source.next();
      return done ? { done, value: undefined } : { done: false, value: schema.parse(value) };
    },
    return: () => source.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  };
}
