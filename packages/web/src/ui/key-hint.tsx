/** The key for what is next to it; hidden where there is no keyboard. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span
      aria-hidden="true"
      className="-me-1 shrink-0 whitespace-nowrap rounded border border-current/30 px-1 font-sans text-[0.7rem] leading-4 pointer-coarse:hidden"
    >
      {keys}
    </span>
  );
}
