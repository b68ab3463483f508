import { type ReactNode, useId } from "react";

export interface SwitchSettingProps {
  label: string;
  note: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
}

/** A setting that is on or off, with what it does. */
export function SwitchSetting({ label, note, checked, disabled = false, onChange }: SwitchSettingProps) {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-8 pointer-coarse:min-h-11 w-fit items-center gap-2 font-medium text-sm" htmlFor={id}>
        <input
          aria-describedby={`${id}-note`}
          checked={checked}
          className="size-4 accent-accent"
          disabled={disabled}
          id={id}
          onChange={(event) => onChange(event.target.checked)}
          type="checkbox"
        />
        {label}
      </label>
      <div id={`${id}-note`}>{note}</div>
    </div>
  );
}
