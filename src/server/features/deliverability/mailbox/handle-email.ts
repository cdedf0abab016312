/** A mail as it lay in the mailbox. It is put away when the promise settles well, and comes again when it does not. */
export type HandleEmail = (raw: Buffer, receivedAt: Date) => Promise<void>

/** Anything longer is no report; its beginning tells what it is all the same. */
export const maxEmailBytes = 512 * 1024
