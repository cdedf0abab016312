/** What TypeScript files import from prepare.mjs. */
export declare const serverEnvironment: Readonly<Record<string, string>>
