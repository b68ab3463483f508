import type { Host } from "../port/host.ts";
import type { Channel } from "./channel.ts";
import { type HostPart, hostMethods } from "./host-methods.ts";
import { type Link, type LinkHandler, openLink } from "./open-link.ts";

/**
 * Serves a host over a channel, for `connectHost` on the other side. Only the methods of the port can be called.
 * @param input.facts introduces this side; the other side gets it when the link opens
 * @param input.own further methods, by name
 */
export function serveHost(input: {
  host: Host;
  channel: Channel;
  facts?: Readonly<Record<string, unknown>>;
  own?: Readonly<Record<string, LinkHandler>>;
}): Link {
  const { host, own = {} } = input;
  const { environment, startsAtOnce } = host;
  return openLink({
    channel: input.channel,
    facts: { ...input.facts, environment: { ...environment }, startsAtOnce },
    findHandler(method) {
      if (Object.hasOwn(own, method)) return own[method];
      if (method === "measure") return () => host.measure();
      const [part = "", name = ""] = method.split(".");
      if (!isPart(part) || !Object.hasOwn(hostMethods[part], name)) return undefined;
      const target = host[part] as unknown as Record<string, LinkHandler>;
      return (...args) => target[name]?.(...args);
    },
  });
}

function isPart(name: string): name is HostPart {
  return Object.hasOwn(hostMethods, name);
}
