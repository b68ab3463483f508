import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { listGrammars } from "../src/export-page/list-grammars.ts";

const inWeb = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Modules that talk to the server or load files, and what exported pages have instead. */
const stubs: Readonly<Record<string, string>> = {
  "src/api/request.ts": "src/export-page/stubs/request.ts",
  "src/api/send-request.ts": "src/export-page/stubs/request.ts",
  "src/review/file-comments.tsx": "src/export-page/stubs/review.tsx",
  "src/review/file-review-actions.tsx": "src/export-page/stubs/review.tsx",
  "src/review/reviewed-diff.tsx": "src/export-page/stubs/review.tsx",
  "src/highlight/highlighter.ts": "src/export-page/stubs/highlighter.ts",
  "src/markdown/markdown-parser.ts": "src/export-page/stubs/markdown-parser.ts",
};

/**
 * Builds `export-page.html` with the app: the page of an exported attempt, without its data. One file with its script and its styles,
 * which its own Content-Security-Policy names by their hashes: nothing else runs in it, and it loads nothing.
 */
export function exportPage(): Plugin {
  let outDir = "";
  return {
    name: "skein:export-page",
    apply: "build",
    configResolved(config) {
      outDir = join(config.root, config.build.outDir);
    },
    async closeBundle(error) {
      if (error) return;
      await mkdir(outDir, { recursive: true });
      await writeFile(join(outDir, "export-page.html"), await buildPage());
      await writeFile(join(outDir, "export-grammars.json"), JSON.stringify(await packGrammars()));
    },
  };
}

/**
 * The grammars of all languages, each with those that it embeds, as JSON, gzip, base64; and the words in a text that stand for a language.
 * The server adds to each page those of the languages that may occur in it.
 */
async function packGrammars(): Promise<{ words: Readonly<Record<string, string>>; grammars: Record<string, string> }> {
  const { words, grammars } = await listGrammars();
  const pack = (grammar: unknown) => gzipSync(JSON.stringify(grammar), { level: 9 }).toString("base64");
  return { words, grammars: Object.fromEntries(grammars.map(([language, grammar]) => [language, pack(grammar)])) };
}

async function buildPage(): Promise<string> {
  const result = await build({
    configFile: false,
    root: inWeb("."),
    logLevel: "error",
    plugins: [applyStubs(), withoutFonts(), react(), tailwindcss()],
    worker: { format: "iife" },
    build: {
      write: false,
      target: "es2023",
      sourcemap: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      modulePreload: false,
      copyPublicDir: false,
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: inWeb("src/export-page/main.tsx"),
        output: { format: "iife", codeSplitting: false },
        treeshake: { moduleSideEffects: (id) => !/[\\/]packages[\\/](?:contracts|engine)[\\/]|[\\/]zod[\\/]/.test(id) },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
  const scripts = outputs.flatMap((one) => (one.type === "chunk" ? [one.code] : []));
  const styles = outputs.flatMap((one) => (one.type === "asset" && one.fileName.endsWith(".css") ? [String(one.source)] : []));
  const others = outputs.flatMap((one) => (one.type === "asset" && !one.fileName.endsWith(".css") ? [one.fileName] : []));
  if (scripts.length !== 1 || others.length > 0)
    throw new Error(`The page of exports must be one file, not ${outputs.map((one) => one.fileName)}`);
  return toPage({ script: escapeScript(scripts[0] ?? ""), style: styles.join("\n") });
}

function toPage({ script, style }: { script: string; style: string }): string {
  const policy = [
    "default-src 'none'",
    `script-src ${toHash(script)}`,
    `style-src ${toHash(style)}`,
    "style-src-attr 'unsafe-inline'",
    "img-src data: blob:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title><!--skein:title--></title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript. It loads nothing from the network.</noscript>
<!--skein:data-->
<script>${script}</script>
</body>
</html>
`;
}

const toHash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Neither may end the script or begin a comment in it. In strings and patterns, where they are, a backslash changes nothing. */
const escapeScript = (script: string): string => script.replace(/<(?=\/script|script|!--)/gi, "\\x3c");

function applyStubs(): Plugin {
  const replaced = new Map(Object.entries(stubs).map(([from, to]) => [inWeb(from), inWeb(to)]));
  return {
    name: "skein:export-stubs",
    enforce: "pre",
    async resolveId(source, importer) {
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found === null ? null : (replaced.get(found.id) ?? null);
    },
  };
}

/** 200 kB that a page of one conversation does not need: it uses the system's fonts. */
function withoutFonts(): Plugin {
  return {
    name: "skein:without-fonts",
    enforce: "pre",
    transform: (code, id) => (id.endsWith("/src/styles.css") ? { code: code.replace('@import "./fonts.css";', ""), map: null } : undefined),
  };
}
