import { useEffect, useRef } from "react";

/**
 * What was typed between the key that opened a dialog and the moment that its field had the focus. Until its code is there,
 * these keys would go to the page behind it, where each of them may mean something else.
 */
export function useTypeAhead(isOpen: boolean): { read(): string } {
  const typed = useRef("");
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.target instanceof Element && event.target.closest("[role=dialog]")) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
      else if ([...event.key].length === 1) typed.current += event.key;
    };
    document.addEventListener("keydown", listen, { capture: true });
    return () => {
      document.removeEventListener("keydown", listen, { capture: true });
      typed.current = "";
    };
  }, [isOpen]);
  return { read: () => typed.current };
}
