import { ChangeCount } from "../diff/change-count.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { useDisclosure } from "../ui/disclosure.tsx";
import { DisclosureButton } from "../ui/disclosure-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import type { TreeNode } from "./to-file-tree.ts";

/** Every file that changed; choosing one leads to its lines. */
export function FileTree({ nodes, onChoose }: { nodes: readonly TreeNode[]; onChoose(path: string): void }) {
  const { changes: text } = useTaskText().taskPage;
  return (
    <nav aria-label={text.tree}>
      <Nodes nodes={nodes} onChoose={onChoose} />
    </nav>
  );
}

function Nodes({ nodes, onChoose }: { nodes: readonly TreeNode[]; onChoose(path: string): void }) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.path}>
          {node.kind === "folder" ? (
            <Folder node={node} onChoose={onChoose} />
          ) : (
            <button
              className="flex min-h-7 pointer-coarse:min-h-10 w-full items-center gap-1.5 rounded-md px-1.5 text-start text-sm hover:bg-hover"
              onClick={() => onChoose(node.path)}
              type="button"
            >
              <Icon className="text-ink-faint" name="file" size={13} />
              <PathText className={`flex-1 ${node.file.change === "deleted" ? "line-through" : ""}`} text={node.name} title={node.path} />
              <ChangeCount additions={node.file.additions} deletions={node.file.deletions} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Folder({ node, onChoose }: { node: Extract<TreeNode, { kind: "folder" }>; onChoose(path: string): void }) {
  const [open, setOpen] = useDisclosure(`tree:${node.path}`, true);
  return (
    <>
      <DisclosureButton
        className="min-h-7 pointer-coarse:min-h-10 w-full gap-1 rounded-md px-1 text-ink-soft text-sm"
        onOpenChange={setOpen}
        open={open}
      >
        <PathText className="flex-1" text={node.name} title={node.path} />
        {!open && <ChangeCount additions={node.additions} deletions={node.deletions} />}
      </DisclosureButton>
      {open && (
        <div className="ms-2 border-line border-s ps-1">
          <Nodes nodes={node.children} onChoose={onChoose} />
        </div>
      )}
    </>
  );
}
