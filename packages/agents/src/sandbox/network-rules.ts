import { isIP } from "node:net";
import { type NetworkRule, parseNetworkRule } from "@skein/contracts/network-rule";
import { isPublicAddress } from "../web-fetch/is-public-address.ts";

/** What a program, or a model, reads about a connection that was refused. */
export function describeRefusal(target: string): string {
  return `Skein's sandbox does not allow connections to ${target}. The user can allow the address in Skein's settings, under Sandbox.`;
}

/** A connection that a program asks for. */
export interface NetworkTarget {
  host: string;
  port: number;
}

const defaultPorts = [80, 443];

/** What the rules of one sandbox allow. Invalid rules allow nothing. */
export class NetworkRules {
  readonly #rules: readonly NetworkRule[];

  constructor(rules: readonly string[]) {
    this.#rules = rules.flatMap((rule) => parseNetworkRule(rule) ?? []);
  }

  /** Ports of this machine that are allowed: the sandbox has its own `127.0.0.1`, where they are offered. */
  get localPorts(): number[] {
    return [...new Set(this.#rules.flatMap(({ host, port }) => (host === "127.0.0.1" && port !== undefined ? [port] : [])))];
  }

  /** Whether a page may be fetched. */
  allowUrl(url: string): boolean {
    const parsed = URL.parse(url);
    if (parsed === null) return true; // reported as not valid
    const port = parsed.port === "" ? (parsed.protocol === "https:" ? 443 : 80) : Number(parsed.port);
    return this.allow({ host: parsed.hostname, port }) !== undefined;
  }

  /**
   * How a target may be reached; undefined: not at all. A name leads to public addresses only: otherwise its owner could make it resolve
   * to 127.0.0.1, and so open this machine.
   */
  allow({ host, port }: NetworkTarget): "any-address" | "public-addresses" | undefined {
    const asked = toAsked(host);
    const matching = this.#rules.filter((rule) => (rule.port === undefined ? defaultPorts.includes(port) : rule.port === port));
    if (isIP(asked) !== 0) {
      if (matching.some((rule) => rule.isAddress && rule.host === asked)) return "any-address";
      return matching.some((rule) => rule.host === "*") && isPublicAddress(asked) ? "public-addresses" : undefined;
    }
    return matching.some((rule) => isNamed(rule, asked)) ? "public-addresses" : undefined;
  }
}

function toAsked(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[|\]$/g, "");
  return name === "localhost" ? "127.0.0.1" : name;
}

function isNamed({ host, isAddress }: NetworkRule, asked: string): boolean {
  if (isAddress) return false;
  return host === "*" || host === asked || (host.startsWith("*.") && asked.endsWith(host.slice(1)));
}
