/** What TypeScript files import from prepare.mjs. */
/** The server's bundle, from the folder of the project. */
export declare const builtServer: string
export declare const serverEnvironment: Readonly<Record<string, string>>
/** Files that `npm start` doesn’t keep. */
export declare const unusedByServer: RegExp
