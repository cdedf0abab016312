/** One part of `npm run test:real`: a module `tests/real/<name>.ts` whose default export it is. */
export type RealPart = {
  name: string
  /** Installs what the part needs. If it throws, the part is skipped and the summary gives the message. */
  install(): Promise<void>
  run(checks: Checks): Promise<void>
}

export type Checks = {
  /** Runs one check and counts it. A failed one is printed and doesn't stop the part. Returns whether it passed. */
  check(title: string, test: () => unknown): Promise<boolean>
  /** Counts a check that can't run here. */
  skip(title: string, why: string): void
  /** Prints a line below the part, such as a version. */
  note(line: string): void
}
