/** Handles one raw email. If it rejects, the email stays unread and is handled again in the next run. */
export type HandleEmail = (raw: Buffer, receivedAt: Date) => Promise<void>

/** Longer emails are truncated. */
export const maxEmailBytes = 512 * 1024
/** Parts within parts. Each line of an email is compared with every open one; emails with more can't be read. */
export const maxMimeNesting = 20
