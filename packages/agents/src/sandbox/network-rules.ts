import { isIP } from "node:net";
import { isPublicAddress } from "../web-fetch/is-public-address.ts";

/*
 * Rules of a sandbox's network, one string each:
 *
 *   example.com         this name, ports 80 and 443
 *   *.example.com       every name below it
 *   example.com:8443    this name and this port only
 *   127.0.0.1:4010      an address and a port, of this machine or its network
 *   localhost:4010      the same as 127.0.0.1:4010
 *   *                   every public address, ports 80 and 443
 *
 * A name leads to public addresses only: otherwise a name whose owner lets it resolve to 127.0.0.1 would open this machine.
 */

/** The rule of this form is valid. */
export function isNetworkRule(rule: string): boolean {
  return parseRule(rule) !== undefined;
}

interface NetworkRule {
  host: string;
  /** Absent: 80 and 443. */
  port?: number;
}

const defaultPorts = new Set([80, 443]);
const namePattern = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function parseRule(text: string): NetworkRule | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text.trim().toLowerCase());
  if (match?.[1] === undefined) return undefined;
  const name = match[1].replace(/^\[|\]$/g, "");
  const host = name === "localhost" ? "127.0.0.1" : name;
  const port = match[2] === undefined ? undefined : Number(match[2]);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  if (isIP(host) !== 0) return port === undefined ? undefined : { host, port };
  return host === "*" || namePattern.test(host) ? { host, ...(port === undefined ? {} : { port }) } : undefined;
}

/** A connection that a program asks for. */
export interface NetworkTarget {
  host: string;
  port: number;
}

/** What a program, or a model, reads about a connection that was refused. */
export function describeRefusal(target: string): string {
  return `Skein's sandbox does not allow connections to ${target}. The user can allow the address in Skein's settings, under Sandbox.`;
}

/** What the rules of one sandbox allow. Invalid rules allow nothing. */
export class NetworkRules {
  readonly #rules: readonly NetworkRule[];

  constructor(rules: readonly string[]) {
    this.#rules = rules.flatMap((rule) => parseRule(rule) ?? []);
  }

  /** Ports of this machine that are allowed: the sandbox has its own `127.0.0.1`, where they are offered. */
  get localPorts(): number[] {
    return [...new Set(this.#rules.flatMap(({ host, port }) => (host === "127.0.0.1" && port !== undefined ? [port] : [])))];
  }

  /** Whether the address of a page may be reached. */
  allowUrl(url: string): boolean {
    const parsed = URL.parse(url);
    if (parsed === null) return true; // reported as not valid
    const port = parsed.port === "" ? (parsed.protocol === "https:" ? 443 : 80) : Number(parsed.port);
    return this.allow({ host: parsed.hostname, port }) !== undefined;
  }

  /** How a target may be reached; undefined: not at all. */
  allow({ host, port }: NetworkTarget): "any-address" | "public-addresses" | undefined {
    const name = host
      .toLowerCase()
      .replace(/\.$/, "")
      .replace(/^\[|\]$/g, "");
    const asked = name === "localhost" ? "127.0.0.1" : name;
    const matching = this.#rules.filter((rule) => (rule.port === undefined ? defaultPorts.has(port) : rule.port === port));
    if (isIP(asked) !== 0) {
      if (matching.some((rule) => rule.host === asked)) return "any-address";
      return matching.some((rule) => rule.host === "*") && isPublicAddress(asked) ? "public-addresses" : undefined;
    }
    const isNamed = matching.some(
      (rule) => rule.host === "*" || rule.host === asked || (rule.host.startsWith("*.") && asked.endsWith(rule.host.slice(1))),
    );
    return isNamed ? "public-addresses" : undefined;
  }
}
