import type { ApprovalView } from "./approval-view.ts";
import type { RevealSize } from "./reveal-size.ts";
import { ShownText } from "./shown-text.tsx";

export interface ApprovalFieldsProps {
  fields: readonly ApprovalView["fields"][number][];
  size: RevealSize;
  onShowAll(): void;
}

/** The input of a tool except its command, by name. */
export function ApprovalFields({ fields, size, onShowAll }: ApprovalFieldsProps) {
  return (
    <dl className="space-y-1 text-[0.8rem]">
      {fields.map(({ name, value }) => (
        <div className="flex gap-3 max-sm:flex-col max-sm:gap-0" key={name}>
          {name && (
            <dt className="w-24 shrink-0 font-mono text-ink-faint [overflow-wrap:anywhere] max-sm:w-auto">
              <ShownText onShowAll={onShowAll} size={size} text={name} />
            </dt>
          )}
          <dd className="min-w-0 flex-1 whitespace-pre-wrap font-mono [overflow-wrap:anywhere]">
            <ShownText onShowAll={onShowAll} size={size} text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
