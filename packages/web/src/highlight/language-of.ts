/** Grammars that can be loaded, by their name. A file of another kind is shown without colours. */
const byExtension: Record<string, string> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "jsx",
  json: "json",
  jsonc: "jsonc",
  css: "css",
  scss: "scss",
  less: "less",
  html: "html",
  htm: "html",
  xml: "xml",
  svg: "xml",
  vue: "vue",
  svelte: "svelte",
  md: "markdown",
  markdown: "markdown",
  mdx: "mdx",
  py: "python",
  rs: "rust",
  go: "go",
  java: "java",
  kt: "kotlin",
  kts: "kotlin",
  swift: "swift",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  hpp: "cpp",
  cs: "csharp",
  rb: "ruby",
  php: "php",
  lua: "lua",
  dart: "dart",
  ex: "elixir",
  exs: "elixir",
  zig: "zig",
  sh: "shellscript",
  bash: "shellscript",
  zsh: "shellscript",
  ps1: "powershell",
  yml: "yaml",
  yaml: "yaml",
  toml: "toml",
  ini: "ini",
  sql: "sql",
  graphql: "graphql",
  gql: "graphql",
  proto: "proto",
  tf: "terraform",
  diff: "diff",
  patch: "diff",
};

const byName: Record<string, string> = {
  dockerfile: "docker",
  makefile: "make",
  gemfile: "ruby",
  rakefile: "ruby",
  ".bashrc": "shellscript",
  ".gitconfig": "ini",
};

/** Names used after ``` that are not file extensions. */
const byAlias: Record<string, string> = {
  typescript: "typescript",
  javascript: "javascript",
  python: "python",
  rust: "rust",
  golang: "go",
  shell: "shellscript",
  console: "shellscript",
  shellscript: "shellscript",
  "c++": "cpp",
  csharp: "csharp",
  ruby: "ruby",
  kotlin: "kotlin",
  markdown: "markdown",
  docker: "docker",
  dockerfile: "docker",
  make: "make",
};

/** Words in a text that may stand for a language, with it: file extensions, names of files and names after ```. */
export const languageWords: Readonly<Record<string, string>> = { ...byAlias, ...byName, ...byExtension };

export function languageOfPath(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return lookUp(byName, name) ?? lookUp(byExtension, name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "");
}

export function languageOfFence(name: string): string | null {
  const wanted = name.toLowerCase();
  return lookUp(byAlias, wanted) ?? lookUp(byExtension, wanted);
}

/** Only own entries: `constructor` is not a language. */
function lookUp(table: Record<string, string>, key: string): string | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null;
}
