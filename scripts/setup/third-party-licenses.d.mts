/** Names, versions and license texts of all installed packages that the modules of a bundle belong to. */
export function listLicenses(moduleIds: readonly string[]): string;
