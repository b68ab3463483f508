/**
 * Writes the catalogue of ACP agents that Skein ships (packages/agents/src/catalogue/acp-registry.json) from the public registry,
 * github.com/agentclientprotocol/registry, which is licensed under the Apache License 2.0:
 *
 *   git clone --depth 1 https://github.com/agentclientprotocol/registry /tmp/registry
 *   node scripts/update-agent-catalogue.mjs /tmp/registry
 *
 * The folder may also be a bare repository. The script reads the files of the commit, runs nothing of the repository, keeps only
 * what Skein uses, and prints what changed. Review the difference like code: it names programs that users will run.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { runScript, SetupError } from "./setup/fail.mjs";
import { inRepository } from "./setup/repository.mjs";

const file = inRepository("packages/agents/src/catalogue/acp-registry.json");
const source = "https://github.com/agentclientprotocol/registry";
const platforms = ["darwin-aarch64", "darwin-x86_64", "linux-aarch64", "linux-x86_64"];

await runScript(() => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    throw new SetupError(`No registry given. Run: git clone --depth 1 ${source} /tmp/registry, then pass the folder to this script.`);
  }
  const git = (...args) => execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 64_000_000 }).trim();
  const commit = git("rev-parse", "HEAD");
  // one level deep: agents that the registry does not offer yet are in a subfolder
  const names = git("ls-tree", "-r", "--name-only", "HEAD")
    .split("\n")
    .filter((name) => /^[a-z][a-z0-9-]*\/agent\.json$/.test(name));
  if (names.length === 0) throw new SetupError(`There is no agent.json in ${folder}.`);
  const agents = names.map((name) => toEntry(JSON.parse(git("show", `HEAD:${name}`)))).sort((a, b) => (a.id < b.id ? -1 : 1));
  const date = git("show", "-s", "--format=%cs", "HEAD");
  const { agents: before } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, `${JSON.stringify({ source, license: "Apache-2.0", commit, date, agents }, null, 2)}\n`);
  for (const line of describeChanges(before, agents)) console.log(line);
  console.log(`${agents.length} agents of ${date}, commit ${commit}. Now run: npm run fix && npm test -- --only unit catalogue`);
});

/** Only what Skein shows or runs. The server reads it by a schema. */
function toEntry({ id, name, version, description, repository, license, distribution: { npx, uvx, binary } }) {
  const targets = Object.entries(binary ?? {}).filter(([platform]) => platforms.includes(platform));
  const installed = targets.length === 0 ? {} : { binary: Object.fromEntries(targets.sort()) };
  return { id, name, version, description, repository, license, distribution: { npx, uvx, ...installed } };
}

function describeChanges(before, after) {
  const toVersions = (agents) => new Map(agents.map(({ id, version }) => [id, version]));
  const [known, current] = [toVersions(before), toVersions(after)];
  const changed = [...current].filter(([id, version]) => known.get(id) !== version);
  const removed = [...known.keys()].filter((id) => !current.has(id));
  return [...changed.map(([id, version]) => `${id}: ${known.get(id) ?? "new"} → ${version}`), ...removed.map((id) => `${id}: removed`)];
}
