/** Handles one raw email. If it rejects, the email stays unread and is handled again in the next run. */
export type HandleEmail = (raw: Buffer, receivedAt: Date) => Promise<void>

/** Longer emails are truncated. */
export const maxEmailBytes = 512 * 1024
