import type { ForgeWorld } from "./forge-world.ts";

export interface ForgeCall {
  method: string;
  url: URL;
  body: unknown;
}

export interface ForgeAnswer {
  status: number;
  /** A string is sent as plain text. */
  body: unknown;
  headers?: Record<string, string>;
}

/** How one kind of forge shows its world. */
export interface ForgeApi {
  handle(call: ForgeCall): ForgeAnswer;
  unauthorized(): ForgeAnswer;
}

export interface ForgeApiContext {
  world: ForgeWorld;
  /** Origin of the server. */
  url: string;
  report(violation: string): void;
}

/** One page of a list, with the links to the others (RFC 8288). `sizeName` is the parameter for the size of a page. */
export function paginate(
  items: readonly unknown[],
  url: URL,
  sizeName: string,
  defaultSize = 30,
): { page: unknown[]; headers: Record<string, string> } {
  const size = Number(url.searchParams.get(sizeName) ?? defaultSize);
  const number = Number(url.searchParams.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const toLink = (page: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set("page", String(page));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [toLink(number - 1, "prev")] : []),
    ...(number < last ? [toLink(number + 1, "next"), toLink(last, "last")] : []),
  ];
  return { page: items.slice((number - 1) * size, number * size), headers: links.length === 0 ? {} : { link: links.join(", ") } };
}
