import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

type Bundle = Readonly<Record<string, { type: string; fileName: string; facadeModuleId?: string | null; imports?: string[] }>>;

/**
 * Names chunks in `index.html` that the app imports later: `always` is loaded with the page, and `pages` are attributes of the
 * script of `boot.js`, which loads those of the page that is opened. Otherwise the browser finds them only when the app runs. `boot.js`
 * gets a name with its hash: the browser then keeps it, and a page's data is requested without waiting for it.
 */
export function earlyChunks({ always, pages }: { always: RegExp; pages: Readonly<Record<string, RegExp>> }): Plugin {
  const source = readFileSync(fileURLToPath(new URL("../boot.js", import.meta.url)), "utf8");
  const fileName = `assets/boot-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;
  return {
    name: "skein:early-chunks",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const known = new Set(html.match(/\/assets\/[^"]+/g));
        const attributes = Object.entries(pages).map(([name, entry]) => ` data-${name}="${listChunks(bundle, entry, known).join(" ")}"`);
        return {
          html: html.replace('<script src="/boot.js"', `<script src="/${fileName}"${attributes.join("")}`),
          tags: listChunks(bundle, always, known).map((href) => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href },
            injectTo: "head" as const,
          })),
        };
      },
    },
  };
}

/** The chunk of a module and those it imports, except for `known` ones. */
function listChunks(bundle: Bundle, entry: RegExp, known: ReadonlySet<string>): string[] {
  const root = Object.values(bundle).find(({ facadeModuleId }) => facadeModuleId && entry.test(facadeModuleId));
  if (!root) throw new Error(`No chunk for ${entry}`);
  const found = new Set([root.fileName]);
  for (const name of found) for (const imported of bundle[name]?.imports ?? []) found.add(imported);
  return [...found].map((name) => `/${name}`).filter((href) => !known.has(href));
}
