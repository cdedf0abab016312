import type { CopySession } from '#server/db/copy-session.ts'

/** Runs in the restore's transaction. */
export async function holdAutomaticEmail(_session: CopySession, _backupAt: string): Promise<void> {}
