import type { ToolAction } from "@skein/contracts";

/** What will happen if an approval is given, as data; `text.approval.ask` formats it. */
export interface ApprovalAsk {
  action: ToolAction | "create" | "overwrite";
  /** Path, command, address or name, in full; absent where it is not known. */
  subject?: string;
  count?: number;
}
