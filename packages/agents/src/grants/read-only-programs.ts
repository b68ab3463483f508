/**
 * Programs that “always” may grant with other arguments than shown: with the options listed here, and no others, they only print. None of
 * these options starts a program, writes a file, follows symlinks while walking folders, or reads a list of names or patterns from a
 * file.
 *
 * To add an option: read its description in the manuals of GNU, BSD (macOS) and BusyBox; it must take a value in all of them or in none.
 * Abbreviated long options are not matched.
 */

/**
 * What follows an option: `none`; `number` and `text`: a value, attached or the next word; `path`: the same, inside the worktree;
 * `attached`: a value that is always in the same word (`--color`, `--color=always`, `-uno`).
 */
export type OptionValue = "none" | "number" | "text" | "path" | "attached";

export interface ReadOnlyProgram {
  options: Readonly<Record<string, OptionValue>>;
  /**
   * The operands. `paths` stay in the worktree by real path; git's revisions count as paths, too, because git itself decides which is
   * which. `pattern`: a text, unless an option of `patternOptions` gave it, then paths.
   */
  operands: "none" | "paths" | "texts" | "pattern" | { first: RegExp };
  /** With one of these the first operand is a path. */
  patternOptions?: readonly string[];
  maximumOperands?: number;
  /** Options may follow operands on every system. For other programs, some systems read `-n` there as a file name. */
  takesOptionsAnywhere?: boolean;
  /** Options are whole words with one dash, and operands precede them. */
  style?: "find";
  /** Only in the worktree's own folder: a subfolder can be made to look like a repository whose config names programs. */
  onlyAtRoot?: boolean;
  /** `-5` is a number of lines. */
  takesCount?: boolean;
}

type Options = ReadOnlyProgram["options"];

function options(groups: Partial<Record<OptionValue, string>>): Options {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([value, names]) => names.split(" ").map((name) => [name, value as OptionValue])),
  );
}

const gitDiffOptions = options({
  none:
    "-p -u --patch -s --no-patch --raw --numstat --shortstat --summary --name-only --name-status --no-color --no-renames -w -b " +
    "--ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --minimal --patience --histogram --check " +
    "--full-index -z -R -W --function-context --exit-code --quiet -q --no-ext-diff --no-textconv --compact-summary",
  attached: "--stat --color --word-diff --color-moved --diff-filter --abbrev --unified --find-renames --diff-algorithm -M -C",
  number: "-U",
  text: "-S -G",
});

const gitLogOptions: Options = {
  ...gitDiffOptions,
  ...options({
    none:
      "--oneline --graph --all --first-parent --merges --no-merges --reverse --follow --no-decorate --abbrev-commit --no-abbrev-commit " +
      "--topo-order --date-order --left-right --cherry-pick --cherry-mark --no-walk --merge --boundary --full-history --source -i -E -F " +
      "--regexp-ignore-case --extended-regexp --fixed-strings --invert-grep --all-match --no-notes --parents --children -m -c --cc",
    attached: "--format --pretty --decorate --date --branches --tags --remotes --glob",
    number: "-n --max-count --skip",
    text: "--author --committer --grep --since --after --until --before",
  }),
};

const git = (groups: Options, operands: ReadOnlyProgram["operands"], more: Partial<ReadOnlyProgram> = {}): ReadOnlyProgram => ({
  options: groups,
  operands,
  takesOptionsAnywhere: true,
  onlyAtRoot: true,
  ...more,
});

const grepOptions = options({
  none:
    "-n -i -w -x -v -c -l -L -o -h -H -q -s -r -E -F -G -P -I -a --line-number --ignore-case --word-regexp --line-regexp --invert-match " +
    "--count --files-with-matches --files-without-match --only-matching --no-filename --with-filename --quiet --silent --no-messages " +
    "--recursive --extended-regexp --fixed-strings --basic-regexp --perl-regexp --text",
  number: "-A -B -C -m --after-context --before-context --context --max-count",
  text: "-e --regexp --include --exclude --exclude-dir",
  attached: "--color --colour",
});

/** By the first words of a command. */
export const readOnlyPrograms: Readonly<Record<string, ReadOnlyProgram>> = {
  "git status": git(
    options({
      none: "-s --short -b --branch --long -v --verbose -z --show-stash --ahead-behind --no-ahead-behind --renames --no-renames",
      attached: "--porcelain -u --untracked-files --ignored",
    }),
    "paths",
  ),
  "git log": git(gitLogOptions, "paths", { takesCount: true }),
  "git show": git(gitLogOptions, "paths", { takesCount: true }),
  "git diff": git({ ...gitDiffOptions, ...options({ none: "--cached --staged --merge-base" }) }, "paths"),
  "git blame": git(
    options({
      none: "-w -l -s -e -t -p --porcelain --line-porcelain --show-name --show-number --show-email",
      text: "-L",
      attached: "--date",
    }),
    "paths",
  ),
  "git branch": git(
    options({
      none: "-a -r -v -l --all --remotes --verbose --list --show-current --no-color --ignore-case",
      text: "--contains --no-contains --merged --no-merged --points-at --sort --format",
      attached: "--color --abbrev",
    }),
    "none",
  ),
  "git tag": git(options({ none: "-l --list", attached: "-n", text: "--contains --merged --points-at --sort --format" }), "none"),
  "git remote": git(options({ none: "-v --verbose" }), "none"),
  "git stash list": git(gitLogOptions, "none", { takesCount: true }),
  "git worktree list": git(options({ none: "-v -z --verbose --porcelain" }), "none"),
  "git ls-files": git(
    options({
      none:
        "-c -d -m -o -s -u -t -v -z --cached --deleted --modified --others --stage --unmerged --exclude-standard --full-name --error-unmatch " +
        "--directory --no-empty-directory",
    }),
    "paths",
  ),
  "git ls-tree": git(options({ none: "-r -t -d -l -z --name-only --long --full-name --full-tree", attached: "--abbrev" }), "paths"),
  "git rev-parse": git(
    options({
      none:
        "--verify -q --quiet --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --is-inside-work-tree --symbolic " +
        "--symbolic-full-name",
      attached: "--abbrev-ref --short",
    }),
    "paths",
  ),
  "git rev-list": git(gitLogOptions, "paths", { takesCount: true }),
  "git merge-base": git(options({ none: "-a --all --is-ancestor --octopus --independent" }), "paths"),
  "git describe": git(
    options({ none: "--tags --all --always --long --exact-match --first-parent", attached: "--abbrev --dirty", text: "--match --exclude" }),
    "paths",
  ),
  "git shortlog": git(
    options({ none: "-s -n -e --summary --numbered --email --all --no-merges", text: "--since --until --author", attached: "--format" }),
    "paths",
  ),
  "git grep": git(
    options({
      none:
        "-n -i -w -v -l -L -c -o -h -H -q -E -F -G -P -I -p -W --line-number --ignore-case --word-regexp --invert-match --name-only --count " +
        "--files-with-matches --files-without-match --only-matching --heading --break --cached --untracked --extended-regexp --fixed-strings " +
        "--perl-regexp --show-function --function-context --all-match --column",
      number: "-A -B -C --after-context --before-context --context",
      text: "-e",
      attached: "--color",
    }),
    "pattern",
    { patternOptions: ["-e"] },
  ),
  cat: {
    options: options({ none: "-n -b -s -e -t -v -A -E -T --number --number-nonblank --squeeze-blank --show-all" }),
    operands: "paths",
  },
  head: {
    options: options({ none: "-q -v --quiet --silent --verbose", number: "-n -c --lines --bytes" }),
    operands: "paths",
    takesCount: true,
  },
  tail: {
    options: options({ none: "-q -v --quiet --silent --verbose", number: "-n -c --lines --bytes" }),
    operands: "paths",
    takesCount: true,
  },
  wc: { options: options({ none: "-l -w -c -m -L --lines --words --bytes --chars --max-line-length" }), operands: "paths" },
  nl: { options: options({ text: "-b -n -s -v -w -i" }), operands: "paths" },
  ls: {
    options: options({
      none:
        "-l -a -A -h -t -r -S -1 -d -F -R -s -i -p -n -g -o -G -c -u -U -x -C -m -q -k --all --almost-all --human-readable --recursive " +
        "--reverse --directory --size --inode --full-time --group-directories-first --no-group --numeric-uid-gid",
      attached: "--color --classify --sort --time --time-style --format --indicator-style",
    }),
    operands: "paths",
  },
  tree: {
    options: options({
      none: "-a -d -f -i -p -s -h -t -r -C -n -F --dirsfirst --noreport --gitignore --prune",
      number: "-L",
      text: "-I -P",
    }),
    operands: "paths",
  },
  du: {
    options: options({ none: "-s -h -a -c -k -m --summarize --human-readable --all --total", number: "-d --max-depth" }),
    operands: "paths",
  },
  stat: { options: {}, operands: "paths" },
  file: { options: options({ none: "-b -i --brief --mime --mime-type" }), operands: "paths" },
  realpath: { options: {}, operands: "paths" },
  readlink: { options: options({ none: "-f -n" }), operands: "paths" },
  basename: { options: {}, operands: "texts" },
  dirname: { options: {}, operands: "texts" },
  which: { options: options({ none: "-a" }), operands: "texts" },
  pwd: { options: options({ none: "-L -P" }), operands: "none" },
  true: { options: {}, operands: "none" },
  echo: { options: options({ none: "-n -e -E" }), operands: "texts" },
  // addresses and `p`: its other commands write, read and execute
  sed: { options: options({ none: "-n -E -r --quiet --silent" }), operands: { first: /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/ } },
  cut: {
    options: options({
      none: "-s --only-delimited --complement",
      text: "-d -f -c -b --delimiter --fields --characters --bytes --output-delimiter",
    }),
    operands: "paths",
  },
  sort: {
    options: options({
      none:
        "-n -r -u -f -b -h -V -g -M -s -d -i -z --numeric-sort --reverse --unique --ignore-case --ignore-leading-blanks --human-numeric-sort " +
        "--version-sort --general-numeric-sort --stable",
      text: "-k -t --key --field-separator",
    }),
    operands: "paths",
  },
  // a second operand is an output file
  uniq: {
    options: options({ none: "-c -d -u -i --count --repeated --unique --ignore-case", number: "-f -s -w" }),
    operands: "paths",
    maximumOperands: 1,
  },
  tr: { options: options({ none: "-d -s -c -C --delete --squeeze-repeats --complement" }), operands: "texts" },
  grep: { options: grepOptions, operands: "pattern", patternOptions: ["-e", "--regexp"], takesCount: true },
  rg: {
    options: options({
      none:
        "-n -N -i -s -S -w -x -v -c -l -o -h -H -I -F -P -U -p -u -0 --files --hidden --no-ignore --no-ignore-vcs --line-number " +
        "--no-line-number --ignore-case --case-sensitive --smart-case --word-regexp --line-regexp --invert-match --count --count-matches " +
        "--files-with-matches --files-without-match --only-matching --with-filename --no-filename --fixed-strings --pcre2 --multiline " +
        "--multiline-dotall --pretty --unrestricted --heading --no-heading --column --vimgrep --json --stats --trim --no-messages --null " +
        "--type-list --no-config",
      number: "-A -B -C -m -d --after-context --before-context --context --max-count --max-depth --max-columns",
      text: "-e --regexp -g --glob --iglob -t --type -T --type-not --color --sort --sortr",
    }),
    operands: "pattern",
    patternOptions: ["-e", "--regexp", "--files", "--type-list"],
    takesOptionsAnywhere: true,
  },
  find: {
    options: options({
      none: "! ( ) -not -o -or -a -and -empty -print -print0 -prune",
      number: "-maxdepth -mindepth",
      text: "-name -iname -path -ipath -regex -iregex -type -size -mtime -mmin -atime -ctime -perm",
      path: "-newer",
    }),
    operands: "paths",
    style: "find",
  },
};

/** Options of git itself that may precede its subcommand. */
export const gitGlobalOptions: readonly string[] = ["--no-pager", "-P", "--no-optional-locks"];
