import type { Deps } from '#server/deps.ts'
import { listIssues } from '#server/features/content/read-issues.ts'
import type { Principal } from '#server/http/principal.ts'
import { mailJob } from '#server/jobs/mail-job.ts'
import type { Preferences } from '#shared/contracts/preferences.ts'
import { claimWelcome, storePreferences } from './preferences-store.ts'
import { welcomeMail } from './welcome-mail.ts'

type OnboardingDeps = Pick<Deps, 'database' | 'config' | 'clock' | 'enqueue'>

/**
 * Stores the answers and, the first time, asks for the welcome mail that already reflects them, in one transaction: no
 * answers without the mail and no mail without the answers. A second click stores again and sends nothing.
 */
export async function completeOnboarding(
  deps: OnboardingDeps,
  who: Pick<Principal, 'userId' | 'email'>,
  preferences: Preferences,
): Promise<Preferences> {
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    await storePreferences(tx, who.userId, preferences, now)
    const isFirst = await claimWelcome(tx, who.userId, now)
    if (!isFirst || !who.email) return
    const issues = await listIssues(tx)
    await deps.enqueue(tx, mailJob, {
      to: who.email,
      ...welcomeMail({ preferences, issues, publicUrl: deps.config.publicUrl }),
    })
  })
  return preferences
}
