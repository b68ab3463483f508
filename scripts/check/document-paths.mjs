import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A path in code: `host/src/git`, `tests/kill.test.ts`, `load-driver.ts`. */
const codePath = /`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g;
const sourceFile = /\.(?:tsx?|mjs|css)$/;
const link = /\]\((?!\w+:)([^)#\s]+)(?:#[^)\s]*)?\)/g;
const fencedCode = /^```[\s\S]*?^```/gm;

/** Files that the guides in docs ask their reader to create. */
const examples = /line-count-tool\.ts$|heron(?:-agent|\.test)\.ts$/;

const mostReadingOrderFiles = 40;

/**
 * Paths that a document names in code or links to, but that do not exist. `exists` is called with paths relative to the repository.
 * A path in code counts if it names a source file, or begins with a folder of the repository or a package. It is relative to the
 * repository, to `packages`, or to the server's sources.
 */
export function findMissingPaths({ document, text, exists, packages }) {
  const prose = text.replace(fencedCode, "");
  const isOurs = (name) =>
    sourceFile.test(name) || /^(?:packages|scripts|tests|bench|docs)\//.test(name) || packages.includes(name.split("/")[0]);
  const inCode = [...prose.matchAll(codePath)]
    .map(([, name]) => name)
    .filter((name) => name.includes("/") && isOurs(name) && !examples.test(name))
    .filter(
      (name) => !["", "packages", "packages/agents/src", "packages/server/src"].some((folder) => exists(path.posix.join(folder, name))),
    );
  const linked = [...prose.matchAll(link)]
    .map(([, target]) => target)
    .filter((target) => !exists(path.posix.join(path.posix.dirname(document), target)));
  return [...new Set([...inCode, ...linked])].map((name) => `${document} names ${name}, which does not exist`);
}

/** The files in the table under "Reading order" of ARCHITECTURE.md. */
export function listReadingOrder(text) {
  const [, section = ""] = text.split("### Reading order");
  return [...section.split(/^###/m)[0].matchAll(/`([^`]+\.tsx?)`/g)].map(([, name]) => name);
}

/** Wrong paths in the documents of the repository, and a reading order that has become too long. */
export function findDocumentProblems(root) {
  const packages = readdirSync(path.join(root, "packages"));
  const documents = [
    ...readdirSync(root).filter((name) => name.endsWith(".md")),
    ...readdirSync(path.join(root, "docs"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
    ...packages.map((name) => `packages/${name}/README.md`).filter((name) => existsSync(path.join(root, name))),
  ].filter((name) => name !== "CHANGELOG.md"); // names what existed at its time
  const missing = documents.flatMap((document) =>
    findMissingPaths({
      document,
      text: readFileSync(path.join(root, document), "utf8"),
      exists: (name) => existsSync(path.join(root, name)),
      packages,
    }),
  );
  const { length } = listReadingOrder(readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8"));
  if (length > 0 && length <= mostReadingOrderFiles) return missing;
  return [...missing, `The reading order in ARCHITECTURE.md has ${length} files, of at most ${mostReadingOrderFiles}`];
}
