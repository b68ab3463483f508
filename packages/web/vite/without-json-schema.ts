import type { Plugin } from "vite";

const modules = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;

/**
 * Leaves out the part of zod that describes schemas as JSON Schema: every schema refers to it, and no page uses it. 5 kB of the first
 * load. Its functions are called when schemas are made, so they return undefined instead of throwing.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: "skein:without-json-schema",
    apply: "build",
    transform(code, id) {
      if (!modules.test(id)) return undefined;
      const names = [...code.matchAll(/^export (?:(?:const|function|class) |\{ \w+ as )(\w+)/gm)].map(([, name]) => name);
      if (names.length === 0) throw new Error(`${id} is not written as expected`);
      return { code: names.map((name) => `export function ${name}() {}`).join("\n"), map: null };
    },
  };
}
