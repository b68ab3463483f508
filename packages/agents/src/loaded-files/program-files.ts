const nodeFiles = ["package.json", ".npmrc", ".node-version", ".nvmrc"];
const installFiles = ["package-lock.json", "npm-shrinkwrap.json"];
const pythonFiles = ["pyproject.toml", "setup.py", "setup.cfg", "uv.toml", "sitecustomize.py", "usercustomize.py"];
const gradleFiles = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties", "init.gradle"];
const composeFiles = ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "docker-compose.override.yml", ".env"];

/** Files that a program reads implicitly from its working folder, and that decide what it executes. */
const filesOfPrograms: Readonly<Record<string, readonly string[]>> = {
  npm: [...nodeFiles, ...installFiles],
  npx: nodeFiles,
  tsx: [...nodeFiles, "tsconfig.json"],
  "ts-node": [...nodeFiles, "tsconfig.json"],
  pnpm: [...nodeFiles, "pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.cjs", ".pnpmfile.mjs"],
  pnpx: nodeFiles,
  yarn: [...nodeFiles, "yarn.lock", ".yarnrc", ".yarnrc.yml", ".pnp.cjs", ".pnp.loader.mjs"],
  bun: [...nodeFiles, "bun.lock", "bun.lockb", "bunfig.toml", "tsconfig.json"],
  bunx: [...nodeFiles, "bunfig.toml"],
  corepack: nodeFiles,
  deno: ["deno.json", "deno.jsonc", "deno.lock", "package.json"],
  lerna: ["package.json", "lerna.json"],
  nx: ["package.json", "nx.json"],
  turbo: ["package.json", "turbo.json"],
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile", ".env"],
  task: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"],
  cmake: ["CMakeLists.txt", "CMakePresets.json"],
  ninja: ["build.ninja"],
  bazel: ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", ".bazelrc", "BUILD", "BUILD.bazel"],
  python: pythonFiles,
  pip: [...pythonFiles, "requirements.txt", "constraints.txt"],
  uv: [...pythonFiles, "uv.lock"],
  uvx: ["uv.toml", "pyproject.toml"],
  poetry: [...pythonFiles, "poetry.lock", "poetry.toml"],
  pdm: [...pythonFiles, "pdm.lock"],
  hatch: [...pythonFiles, "hatch.toml"],
  pipenv: [...pythonFiles, "Pipfile", "Pipfile.lock"],
  tox: [...pythonFiles, "tox.ini"],
  nox: [...pythonFiles, "noxfile.py"],
  invoke: ["tasks.py"],
  gradle: gradleFiles,
  gradlew: [...gradleFiles, "gradle/wrapper/gradle-wrapper.jar", "gradle/wrapper/gradle-wrapper.properties"],
  mvn: ["pom.xml", ".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml"],
  mvnw: ["pom.xml", ".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml", ".mvn/wrapper/maven-wrapper.properties"],
  ant: ["build.xml"],
  sbt: ["build.sbt", "project/build.properties", "project/plugins.sbt"],
  cargo: ["Cargo.toml", "Cargo.lock", "build.rs", ".cargo/config.toml", ".cargo/config", "rust-toolchain", "rust-toolchain.toml"],
  go: ["go.mod", "go.sum", "go.work"],
  ruby: ["Gemfile", "Gemfile.lock"],
  bundle: ["Gemfile", "Gemfile.lock", ".bundle/config"],
  rake: ["Rakefile", "rakefile", "Rakefile.rb", "Gemfile", "Gemfile.lock"],
  composer: ["composer.json", "composer.lock"],
  php: ["composer.json", "php.ini", ".user.ini"],
  mix: ["mix.exs", "mix.lock"],
  dotnet: ["global.json", "NuGet.config", "nuget.config", "Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"],
  docker: ["Dockerfile", ...composeFiles],
  "docker-compose": ["Dockerfile", ...composeFiles],
  podman: ["Dockerfile", "Containerfile", ...composeFiles],
  mise: ["mise.toml", ".mise.toml", ".tool-versions", "mise.lock"],
  asdf: [".tool-versions"],
  direnv: [".envrc", ".env"],
  nix: ["flake.nix", "flake.lock", "default.nix", "shell.nix"],
  "nix-shell": ["default.nix", "shell.nix"],
  "pre-commit": [".pre-commit-config.yaml"],
  lefthook: ["lefthook.yml", "lefthook.yaml"],
  husky: [".husky/pre-commit", ".husky/pre-push", ".husky/commit-msg"],
};

/** If such a program is given a folder, it executes one of these. */
const entriesOfFolders: Readonly<Record<string, readonly string[]>> = {
  node: ["package.json", "index.js", "index.mjs", "index.cjs", "index.ts", "index.mts", "index.cts"],
  tsx: ["package.json", "index.ts", "index.mts", "index.js", "index.mjs"],
  bun: ["package.json", "index.ts", "index.js", "index.mjs"],
  python: ["__main__.py", "__init__.py"],
};

/** If such a program runs the repository's own code, it compiles these folders, and those that are named. */
const sourcesOfPrograms: Readonly<Record<string, readonly string[]>> = {
  go: [],
  cargo: ["src"],
  dotnet: [],
  swift: ["Sources"],
  gradle: ["src", "buildSrc"],
  gradlew: ["src", "buildSrc"],
  mvn: ["src"],
  mvnw: ["src"],
  sbt: ["src"],
};
const runWords = ["run", "bootRun", "exec:java", "runMain"];

/** These programs run a package.json script by its name. */
const scriptRunners = new Set(["npm", "pnpm", "yarn", "bun"]);
const installWords = ["install", "ci", "i", "add", "update", "up", "rebuild", "clean-install", "it", "cit"];
const installScripts = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare", "dependencies"];

export interface NamedPrograms {
  /** Read from the working folder, and from each named folder. */
  files: string[];
  /** Read from the named folders, not from the working folder. */
  entries: string[];
  /** Folders of code that is compiled and run; undefined if there are none. */
  sources: string[] | undefined;
  runsScripts: boolean;
}

/** The programs that words name, by their last path segment and without a version: `python3.12` is `python`. */
export function findPrograms(words: ReadonlySet<string>): NamedPrograms {
  const names = new Set([...words].map((word) => toProgramName(word)));
  const pick = (table: Readonly<Record<string, readonly string[]>>) =>
    [...names].flatMap((name) => (Object.hasOwn(table, name) ? (table[name] ?? []) : []));
  const compiles = runWords.some((word) => words.has(word)) && [...names].some((name) => Object.hasOwn(sourcesOfPrograms, name));
  return {
    files: pick(filesOfPrograms),
    entries: pick(entriesOfFolders),
    sources: compiles ? pick(sourcesOfPrograms) : undefined,
    runsScripts: [...names].some((name) => scriptRunners.has(name)),
  };
}

function toProgramName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return name.replace(/\.(cmd|exe|bat)$/i, "").replace(/^(python|pip|ruby|php|node)[\d.]+$/, "$1");
}

/** The package.json scripts that run if `words` are the words of a command. */
export function isScriptRun(name: string, words: ReadonlySet<string>): boolean {
  const plain = name.replace(/^(pre|post)/, "");
  if (words.has(name) || words.has(plain) || (plain === "test" && (words.has("t") || words.has("tst")))) return true;
  // yarn and pnpm install by default
  const installs = installWords.some((word) => words.has(word)) || words.has("yarn") || words.has("pnpm");
  return installs && installScripts.includes(name);
}
