import type { Plugin } from "vite";

type Bundle = Readonly<Record<string, { type: string; fileName: string; facadeModuleId?: string | null; imports?: string[] }>>;

/**
 * Names chunks in `index.html` that the app imports later: `always` is loaded with the page, and `pages` are attributes of the
 * script of `public/boot.js`, which loads those of the page that is opened. Otherwise the browser finds them only when the app runs.
 */
export function earlyChunks({ always, pages }: { always: RegExp; pages: Readonly<Record<string, RegExp>> }): Plugin {
  return {
    name: "skein:early-chunks",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const known = new Set(html.match(/\/assets\/[^"]+/g));
        const attributes = Object.entries(pages).map(([name, entry]) => ` data-${name}="${listChunks(bundle, entry, known).join(" ")}"`);
        return {
          html: html.replace('<script src="/boot.js"', `<script src="/boot.js"${attributes.join("")}`),
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
