import { eq } from 'drizzle-orm'
import { publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { backupProblemEmail } from '#server/mail/texts/publisher-emails.ts'
import { readBackupReport } from './read-backups.ts'

const name = 'backup-alert'

/** Emails the owners about a problem with the backups, once per problem. */
export async function alertOwners(deps: Pick<Deps, 'config' | 'database' | 'clock' | 'enqueue'>): Promise<void> {
  const { problem } = await readBackupReport(deps)
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const [known] = await tx
      .select({ value: publicationSettings.value })
      .from(publicationSettings)
      .where(eq(publicationSettings.name, name))
      .for('update')
    if (!problem) {
      if (known) await tx.delete(publicationSettings).where(eq(publicationSettings.name, name))
      return
    }
    const value = `${problem.kind} ${problem.since}`
    if (known?.value === value) return
    const row = { name, value, updatedAt: now }
    await tx.insert(publicationSettings).values(row).onConflictDoUpdate({ target: publicationSettings.name, set: row })
    const { timeZone } = await readSendingSettings(tx)
    for (const to of await listAdminEmails(tx, now)) {
      await deps.enqueue(tx, emailJob, backupProblemEmail({ to, problem, timeZone, config: deps.config }))
    }
  })
}
