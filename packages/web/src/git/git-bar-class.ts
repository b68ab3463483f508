/** The bar and its place while it loads: of one height, so that nothing below it moves. */
export const gitBarClass = "@container flex h-12 pointer-coarse:h-14 shrink-0 items-center gap-2 border-line border-b px-3 text-sm";
