import type { ReactNode } from "react";

export const cellClass = "border-line border-s px-3 max-sm:first:border-s-0";

export interface ComparedRowProps {
  name: ReactNode;
  /** The name is above the cells, not before them. */
  isStacked: boolean;
  /** How many cells there are. */
  columns: number;
  /** Looks of the name. */
  className?: string;
  /** The path, in a row of a file. */
  file?: string;
  children: ReactNode;
}

/** A row of the table: its name, and a cell for each attempt. */
export function ComparedRow({ name, isStacked, columns, className = "py-2 text-ink-faint", file, children }: ComparedRowProps) {
  const nameClass = `text-start font-normal ${className}`;
  const align = file === undefined ? "align-top" : "";
  if (!isStacked) {
    return (
      <tr className={`border-line border-t ${align}`} data-file={file}>
        <th className={`pe-3 ${nameClass}`} scope="row">
          {name}
        </th>
        {children}
      </tr>
    );
  }
  return (
    <>
      <tr className="border-line border-t">
        <th className={`px-3 ${nameClass} pb-0!`} colSpan={columns} scope="rowgroup">
          {name}
        </th>
      </tr>
      <tr className={align} data-file={file}>
        {children}
      </tr>
    </>
  );
}
