import type { AttemptDiff } from "@skein/contracts";

export type ChangedFile = AttemptDiff["files"][number];

export type TreeNode =
  | { kind: "folder"; path: string; name: string; additions: number; deletions: number; children: TreeNode[] }
  | { kind: "file"; path: string; name: string; file: ChangedFile };

/** Folders first. A folder that holds nothing but another one is shown with it, as `src/deep`. */
export function toFileTree(files: readonly ChangedFile[]): TreeNode[] {
  return toNodes(
    files.map((file) => ({ file, rest: file.filePath.split("/") })),
    "",
  );
}

type Entry = { file: ChangedFile; rest: string[] };

function toNodes(entries: readonly Entry[], parent: string): TreeNode[] {
  const folders = new Map<string, Entry[]>();
  const files: TreeNode[] = [];
  for (const { file, rest } of entries) {
    const [name = "", ...below] = rest;
    if (below.length === 0) files.push({ kind: "file", path: file.filePath, name, file });
    else folders.set(name, [...(folders.get(name) ?? []), { file, rest: below }]);
  }
  const byName = (a: TreeNode, b: TreeNode) => a.name.localeCompare(b.name, "en");
  return [...[...folders].map(([name, inside]) => toFolder(name, inside, parent)).sort(byName), ...files.sort(byName)];
}

function toFolder(name: string, entries: readonly Entry[], parent: string): TreeNode {
  const path = `${parent}${name}`;
  const children = toNodes(entries, `${path}/`);
  const [only] = children;
  if (children.length === 1 && only?.kind === "folder") return { ...only, name: `${name}/${only.name}` };
  const sum = (key: "additions" | "deletions") => entries.reduce((total, { file }) => total + file[key], 0);
  return { kind: "folder", path, name, additions: sum("additions"), deletions: sum("deletions"), children };
}

/** In the order in which the tree shows them. */
export function filesInOrder(nodes: readonly TreeNode[]): ChangedFile[] {
  return nodes.flatMap((node) => (node.kind === "file" ? [node.file] : filesInOrder(node.children)));
}
