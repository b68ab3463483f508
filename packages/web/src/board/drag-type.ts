/** Cards are dropped on columns only: other pages and programs do not read this type. */
export const dragType = "application/x-skein-task";
