/** Our own line icons on a 16-pixel grid. Decorative: the text next to them, or the button's label, has the meaning. */
const paths = {
  board: "M2.5 3h3v10h-3zM6.5 3h3v7h-3zM10.5 3h3v5h-3z",
  plus: "M8 3v10M3 8h10",
  check: "M3 8.5l3.5 3.5L13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  chevronDown: "M4 6l4 4 4-4",
  chevronRight: "M6 4l4 4-4 4",
  chevronUpDown: "M5 6l3-3 3 3M5 10l3 3 3-3",
  collapse: "M5 3l3 3 3-3M5 13l3-3 3 3",
  arrowLeft: "M13 8H3M7 4L3 8l4 4",
  arrowUp: "M8 13V3M4 7l4-4 4 4",
  arrowDown: "M8 3v10M4 9l4 4 4-4",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  play: "M5.5 3.5l7 4.5-7 4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  edit: "M9.5 4l2.5 2.5M3 13l.6-2.8L10.7 3.1a1.2 1.2 0 011.7 0l.5.5a1.2 1.2 0 010 1.7L5.8 12.4z",
  trash: "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5M6.8 7v3.5M9.2 7v3.5",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  terminal: "M2.5 3.5h11v9h-11zM5 6.5l2 1.7-2 1.7M8.5 10h2.5",
  archive: "M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.5h3",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
  inbox: "M2.5 9.5l2-6h7l2 6v3.5h-11zM2.5 9.5h3l1 1.5h3l1-1.5h3",
  gear: "M8 10a2 2 0 100-4 2 2 0 000 4zM8 2v1.8M8 12.2V14M2 8h1.8M12.2 8H14M3.8 3.8l1.2 1.2M11 11l1.2 1.2M12.2 3.8L11 5M5 11l-1.2 1.2",
  chart: "M2.5 13.5h11M4.5 13.5v-4M8 13.5V5M11.5 13.5V7.5",
  bell: "M4 11V7a4 4 0 018 0v4l1 1.2H3zM6.7 13.8h2.6",
  search: "M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.5 10.5L13.5 13.5",
  folder: "M2.5 4h4l1.3 1.5h5.7v7h-11z",
  list: "M6 4.5h7.5M6 8h7.5M6 11.5h7.5M2.8 4.5h.01M2.8 8h.01M2.8 11.5h.01",
  todo: "M2.5 4.5l1 1 1.8-2M2.5 10.5l1 1 1.8-2M8 4.8h5.5M8 10.8h5.5",
  external: "M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13 3L7.5 8.5",
  globe: "M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11zM2.5 8h11M8 2.5c2 2 2 9 0 11M8 2.5c-2 2-2 9 0 11",
  image: "M2.5 3.5h11v9h-11zM2.5 11l3-3 2.5 2.5 2-1.5 3.5 3M10.5 6.2h.01",
  agent: "M4 6.5h8v6H4zM8 6.5V4M6.3 9.2h.01M9.7 9.2h.01M2.5 8.5v2M13.5 8.5v2M8 3.2h.01",
  plan: "M3.5 2.5h9v11h-9zM5.8 5.5h4.4M5.8 8h4.4M5.8 10.5h2.6",
  question: "M6 6.2a2 2 0 113 1.7c-.7.4-1 .8-1 1.6M8 12h.01",
  tool: "M9.8 3.2a3 3 0 00-3.6 4L2.8 10.6a1.6 1.6 0 002.3 2.3l3.5-3.4a3 3 0 004-3.7L10.7 7.6 8.9 7l-.6-1.8z",
  thinking: "M8 3v1.5M8 11.5V13M3 8h1.5M11.5 8H13M4.5 4.5l1 1M10.5 10.5l1 1M11.5 4.5l-1 1M5.5 10.5l-1 1",
  warning: "M8 2.8l5.8 10.2H2.2zM8 6.5v3M8 11.2h.01",
  info: "M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11zM8 7.5v3M8 5.5h.01",
  box: "M8 2.5l5 2.6v5.8l-5 2.6-5-2.6V5.1zM3.2 5.2L8 7.8l4.8-2.6M8 7.8v5.6",
  clock: "M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11zM8 5v3.2l2 1.3",
  slash: "M8 13.5a5.5 5.5 0 100-11 5.5 5.5 0 000 11zM4.2 4.2l7.6 7.6",
  bolt: "M9 2.5L3.8 9H8l-1 4.5L12.2 7H8z",
  broken: "M3 8h3l1-2.5M13 8h-2.5l-1 2.5",
  shield: "M8 2.5l4.5 1.6v3.6c0 2.9-1.9 4.8-4.5 5.8-2.6-1-4.5-2.9-4.5-5.8V4.1z",
  sun: "M8 10.8a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1",
  moon: "M13 9.5A5.5 5.5 0 016.5 3a5.5 5.5 0 106.5 6.5z",
  screen: "M2.5 3.5h11v7.5h-11zM6 13.5h4M8 11v2.5",
  language: "M2.5 4h6M5.5 2.5V4M7.5 4c-.6 2.6-2.4 4.5-4.7 5.5M3.8 6c.9 1.6 2.2 2.6 3.7 3.3M7.8 13.5L10.5 7l2.7 6.5M8.7 11.5h3.6",
  keyboard: "M1.8 4.5h12.4v7H1.8zM4.2 7h.01M6.7 7h.01M9.3 7h.01M11.8 7h.01M5 9.3h6",
  diff: "M8 3v5M5.5 5.5h5M5.5 12h5",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  refresh: "M13 8a5 5 0 11-1.5-3.6M13 2.8v2.6h-2.6",
  branch:
    "M5 4.5v7M5 4.5a1 1 0 100-2 1 1 0 000 2zM5 13.5a1 1 0 100-2 1 1 0 000 2zM11 6.5a1 1 0 100-2 1 1 0 000 2zM11 6.5c0 2.5-3 2.5-5.5 3.5",
  copy: "M5.5 5.5h7.5v8H5.5zM3 10.5v-8h7.5",
  link: "M7 9.5a2.5 2.5 0 003.6 0l2-2a2.5 2.5 0 00-3.6-3.6l-.8.8M9 6.5a2.5 2.5 0 00-3.6 0l-2 2A2.5 2.5 0 007 12.1l.8-.8",
  layers: "M8 2.5l5.5 3L8 8.5l-5.5-3zM2.5 8L8 11l5.5-3M2.5 10.5l5.5 3 5.5-3",
  errorUp: "M8 2.5l3 3M8 2.5l-3 3M8 2.5v6M8 12.5h.01",
  columns: "M2.5 3h11v10h-11zM8 3v10",
  timeline: "M2.5 4.5h5M5 8h6M9 11.5h4.5",
  panel: "M2.5 3h11v10h-11zM9.5 3v10",
  grip: "M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01",
  dot: "M8 8h.01",
  circle: "M8 13a5 5 0 100-10 5 5 0 000 10z",
  halfCircle: "M8 13a5 5 0 100-10 5 5 0 000 10zM8 5.5a2.5 2.5 0 010 5z",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16, className = "" }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${className}`}
      fill="none"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth={name === "dot" || name === "more" || name === "grip" ? 2.4 : 1.4}
      viewBox="0 0 16 16"
      width={size}
    >
      <path d={paths[name]} />
    </svg>
  );
}

/**
 * The turning is left to the compositor (a picture inside of a turning box), in steps: smooth turning of twenty of them draws
 * the page again at every frame while any agent works.
 */
export function Spinner({ size = 16, className = "" }: { size?: number; className?: string }) {
  return (
    <span aria-hidden="true" className={`grid shrink-0 animate-spin-in-steps will-change-transform ${className}`}>
      <svg aria-hidden="true" fill="none" height={size} viewBox="0 0 16 16" width={size}>
        <circle cx="8" cy="8" opacity="0.22" r="5.5" stroke="currentColor" strokeWidth="1.8" />
        <path d="M13.5 8A5.5 5.5 0 008 2.5" stroke="currentColor" strokeLinecap="round" strokeWidth="1.8" />
      </svg>
    </span>
  );
}
