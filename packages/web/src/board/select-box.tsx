/** With shift, everything from the last one to this. */
export function SelectBox(props: { label: string; selected: boolean; className?: string; onChange(range: boolean): void }) {
  return (
    // The box is small; what can be hit is not.
    <label className={`flex size-6 pointer-coarse:size-11 items-center justify-center ${props.className ?? ""}`}>
      <input
        aria-label={props.label}
        checked={props.selected}
        className="size-4 accent-accent"
        onChange={(event) => props.onChange((event.nativeEvent as MouseEvent).shiftKey)}
        type="checkbox"
      />
    </label>
  );
}
