import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

/** A terminal on the page. */
export interface Screen {
  readonly terminal: Terminal;
  /** Adapts its size to its element. */
  fit(): void;
  dispose(): void;
}

const scrollback = 5000;
const ansi = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Draws a terminal in an element, in the colours of the page. `isLog`: it takes no keys. */
export function openXterm(element: HTMLElement, { label, isLog }: { label: string; isLog: boolean }): Screen {
  const terminal = new Terminal({
    ...{ scrollback, cursorBlink: false, fontSize: 13, lineHeight: 1.2, minimumContrastRatio: 4.5 },
    ...(isLog ? { disableStdin: true, convertEol: true, cursorInactiveStyle: "none" as const } : {}),
    fontFamily: readVariable("--font-mono") || "monospace",
    theme: readTheme(),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const removeStyles = withOwnStyles(() => terminal.open(element));
  terminal.textarea?.setAttribute("aria-label", label);
  const themes = new MutationObserver(() => {
    terminal.options.theme = readTheme();
  });
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return {
    terminal,
    fit: () => fit.fit(),
    dispose() {
      themes.disconnect();
      terminal.dispose();
      removeStyles();
    },
  };
}

/**
 * The page's Content-Security-Policy allows no `<style>` elements, which xterm creates while it opens. What it writes into them goes into
 * style sheets of the document instead. Returns what removes them.
 */
function withOwnStyles(open: () => void): () => void {
  const sheets: CSSStyleSheet[] = [];
  const create = document.createElement;
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    if (name !== "style") return create.call(document, name, options);
    const sheet = new CSSStyleSheet();
    sheets.push(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const holder = create.call(document, "span");
    holder.hidden = true;
    Object.defineProperty(holder, "textContent", { set: (text: string) => sheet.replaceSync(text) });
    return holder;
  }) as typeof document.createElement;
  try {
    open();
  } finally {
    document.createElement = create;
  }
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  };
}

const readVariable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function readTheme(): ITheme {
  const ink = readVariable("--ink");
  const colours = ansi.map((name, at) => [name, at === 0 ? ink : readVariable(`--ansi-${at}`)] as const);
  const bright = colours.map(([name, colour]) => [`bright${name[0]?.toUpperCase()}${name.slice(1)}`, colour] as const);
  return {
    ...{ background: readVariable("--code"), foreground: ink, cursor: ink, cursorAccent: readVariable("--code") },
    selectionBackground: `${readVariable("--accent")}55`,
    ...Object.fromEntries([...colours, ...bright]),
    brightBlack: readVariable("--ink-faint"),
  };
}
