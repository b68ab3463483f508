// Runs before the first paint: without it a dark page flashes white. The key and values are those of src/preferences/theme.ts.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("skein.theme");
  } catch {
    // Storage may be blocked; the system's theme is the fallback.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
