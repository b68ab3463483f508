import type { JsonValue } from "@skein/contracts";
import { useTaskText } from "../../i18n/task-text.ts";
import { firstLine } from "../../text/first-line.ts";
import { useDisclosure } from "../../ui/disclosure.tsx";
import { DisclosureButton } from "../../ui/disclosure-button.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { useShownItems } from "../../ui/use-shown-items.tsx";

const firstChildren = 50;
/** Of one string. */
const scalarPart = { characters: 4000, lines: 80 };
const openLevels = 2;

/** A value that can be opened piece by piece: what is deep or long is drawn only when it is wanted. */
export function JsonView({ id, value }: { id: string; value: JsonValue }) {
  return (
    <ScrollBox className="max-h-[60vh] px-3 py-2 font-mono text-[0.8rem] leading-[1.55]" dir="ltr">
      <Node id={id} level={0} value={value} />
    </ScrollBox>
  );
}

function Node({ id, level, name, value }: { id: string; level: number; name?: string; value: JsonValue }) {
  if (typeof value !== "object" || value === null) {
    return (
      <p className="whitespace-pre-wrap ps-4 [overflow-wrap:anywhere]">
        <Name name={name} />
        <Scalar id={id} value={value} />
      </p>
    );
  }
  return <Branch id={id} level={level} value={value} {...(name === undefined ? {} : { name })} />;
}

function Branch({
  id,
  level,
  name,
  value,
}: {
  id: string;
  level: number;
  name?: string;
  value: Exclude<JsonValue, string | number | boolean | null>;
}) {
  const { json: text } = useTaskText().taskPage;
  const [open, setOpen] = useDisclosure(id, level < openLevels);
  const isList = Array.isArray(value);
  const entries: [string | undefined, JsonValue][] = isList ? value.map((item) => [undefined, item]) : Object.entries(value);
  const { shown, more } = useShownItems(entries, { id, first: firstChildren, label: text.more });
  return (
    <div>
      <DisclosureButton className="max-w-full gap-1 rounded" onOpenChange={setOpen} open={open}>
        <span className="truncate">
          <Name name={name} />
          <span className="text-ink-faint">
            {isList ? "[ ]" : "{ }"} {text.items(entries.length)}
          </span>
        </span>
      </DisclosureButton>
      {open && (
        <div className="ms-1.5 border-line border-s ps-1.5">
          {shown.map(([key, item], index) => (
            <Node
              id={`${id}/${key ?? index}`}
              key={key ?? index}
              level={level + 1}
              value={item}
              {...(key === undefined ? {} : { name: key })}
            />
          ))}
          {more}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span className="ansi-4">{firstLine(name, 300)}: </span>;
}

function Scalar({ id, value }: { id: string; value: string | number | boolean | null }) {
  if (typeof value === "string") {
    return (
      <span className="ansi-2">
        <LongText id={id} part={scalarPart} text={value} />
      </span>
    );
  }
  return <span className="ansi-5">{String(value)}</span>;
}
