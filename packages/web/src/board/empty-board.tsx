import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

const keys = { newTask: "C", filter: "/", help: "?" };

/** The first thing that someone sees of a project: what a task is, and what happens with it. */
export function EmptyBoard({ onAdd }: { onAdd(): void }) {
  const text = useText();
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <div aria-hidden="true" className="flex gap-1.5 text-line-strong">
        <span className="h-14 w-9 rounded-md border-2 border-current border-dashed" />
        <span className="h-14 w-9 rounded-md border-2 border-current" />
        <span className="h-14 w-9 rounded-md border-2 border-current border-dashed" />
      </div>
      <h2 className="font-semibold">{text.board.emptyTitle}</h2>
      <p className="max-w-xs text-ink-soft">{text.board.emptyText}</p>
      <Button look="primary" onClick={onAdd}>
        <Icon name="plus" size={14} />
        {text.board.newTask}
      </Button>
      <ul className="mt-3 space-y-1.5 text-start text-ink-soft text-sm">
        {(Object.keys(keys) as (keyof typeof keys)[]).map((tip) => (
          <li className="flex items-center gap-2.5" key={tip}>
            <kbd className="min-w-7 rounded border border-line-strong bg-sunken px-1.5 text-center font-sans text-xs leading-5">
              {keys[tip]}
            </kbd>
            {text.board.tips[tip]}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function NoMatch({ onClear }: { onClear(): void }) {
  const text = useText();
  return (
    <p className="flex flex-wrap items-center gap-2 px-4 pt-3 text-ink-soft text-sm" role="status">
      {text.board.noMatch}
      <Button look="quiet" onClick={onClear}>
        {text.board.clearFilters}
      </Button>
    </p>
  );
}
