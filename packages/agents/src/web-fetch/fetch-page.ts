import { lookup } from "node:dns/promises";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { FetchError } from "./fetch-error.ts";
import { isPublicAddress } from "./is-public-address.ts";
import { readBody } from "./read-body.ts";

export interface FetchedPage {
  /** Where the redirects led. */
  url: string;
  status: number;
  contentType: string;
  body: Buffer;
}

export interface FetchOptions {
  allowPrivateAddresses: boolean;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Answers with every address of a name. */
  resolveName?(name: string): Promise<string[]>;
}

const maximumRedirects = 5;
const defaultTimeoutMs = 10_000;
const redirects = [301, 302, 303, 307, 308];

/**
 * GETs a page. A redirect to another origin is not followed: the user agreed to this one. Every address on the way is checked, and the connection goes to the very address that was checked: a name
 * that means something else when it is asked again leads nowhere.
 * @throws FetchError; the signal's reason when it is aborted
 */
export async function fetchPage(start: string, options: FetchOptions): Promise<FetchedPage> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    let url = parseUrl(start);
    for (let hop = 0; hop <= maximumRedirects; hop++) {
      const response = await open(url, await findAddress(url, options), signal);
      const location = redirects.includes(response.statusCode ?? 0) ? response.headers.location : undefined;
      if (location === undefined) {
        const body = await readBody(response);
        return { url: url.href, status: response.statusCode ?? 0, contentType: response.headers["content-type"] ?? "", body };
      }
      response.destroy();
      const next = parseUrl(location, url);
      if (next.origin !== url.origin) {
        throw new FetchError(`${url.href} redirects to another site: ${next.href}. It was not followed; fetch that address to read it.`);
      }
      url = next;
    }
    throw new FetchError(`${start} was redirected more than ${maximumRedirects} times.`);
  } catch (error) {
    options.signal.throwIfAborted();
    if (timeout.aborted) throw new FetchError(`${start} did not answer within ${timeoutMs / 1000} seconds.`, { cause: error });
    if (error instanceof FetchError) throw error;
    throw new FetchError(`${start} could not be fetched: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new FetchError(`${text} is not a valid URL.`);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new FetchError(`${url.href}: only http and https can be fetched.`);
  if (url.username !== "" || url.password !== "") throw new FetchError("A URL with a user name or password in it is not fetched.");
  return url;
}

/** All addresses of a name must be allowed: with one private among them, which one is used would be up to luck. */
async function findAddress({ hostname }: URL, { allowPrivateAddresses, resolveName = resolveByDns }: FetchOptions): Promise<string> {
  const name = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(name) === 0 ? await resolveName(name) : [name];
  const [address] = addresses;
  if (address === undefined) throw new FetchError(`${name} has no address.`);
  if (!allowPrivateAddresses && !addresses.every(isPublicAddress)) {
    throw new FetchError(`${name} is an address of this machine or a private network, which is not fetched.`);
  }
  return address;
}

async function resolveByDns(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}

function open(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
  const family = isIP(address);
  const options: RequestOptions = {
    method: "GET",
    // No connection of another request: that may lead to another address.
    agent: false,
    signal,
    headers: {
      accept: "text/html,application/xhtml+xml,application/json,text/*;q=0.9,*/*;q=0.1",
      "accept-encoding": "gzip, br",
      "user-agent": "skein-web-fetch",
    },
    lookup: (_name, { all }, callback) => (all === true ? callback(null, [{ address, family }]) : callback(null, address, family)),
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    send(url, options, resolve).once("error", reject).end();
  });
}
