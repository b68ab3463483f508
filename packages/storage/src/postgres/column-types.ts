/** Compared and ordered byte by byte, as in SQLite, whatever the locale of the database. */
export const text = 'text COLLATE "C"';
