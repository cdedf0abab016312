import type { Db } from '#server/db/database.ts'
import type { Mailing } from '#shared/contracts/admin-newsletter.ts'
import { type MailingContent, mailingContentSchema } from '#shared/contracts/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { freezeContent } from '../run/freeze-content.ts'
import { type FullMailing, findMailing } from '../run/mailing-row.ts'
import { readSendingSettings } from '../sending-settings.ts'
import type { EstimateMailing } from './estimate-mailing.ts'
import { asSummary } from './list-mailings.ts'
import { readProgress } from './read-progress.ts'

/** @throws AppError not_found */
export async function readMailing(db: Db, estimateMailing: EstimateMailing, id: string): Promise<Mailing> {
  const mailing = await findMailing(db, id)
  const [progressOf, content, settings] = await Promise.all([
    readProgress(db, [id]),
    contentOf(db, mailing),
    readSendingSettings(db),
  ])
  const progress = progressOf(id)
  return {
    ...asSummary(mailing, progress),
    preheader: mailing.preheader,
    audience: mailing.audience,
    // What was prepared keeps what it was sent with; a draft can't ask for what the settings forbid.
    tracked: mailing.tracked && (settings.tracking || mailing.preparedAt !== null),
    tracking_allowed: settings.tracking,
    version: mailing.version,
    content,
    time_zone: settings.time_zone,
    estimate: mailing.status === 'sending' ? await estimateMailing(id, progress.statuses.pending) : null,
  }
}

/** What was frozen, or for a draft what would be: nothing, where its issue was withdrawn meanwhile. */
export async function contentOf(db: Db, mailing: FullMailing): Promise<MailingContent> {
  if (mailing.preparedAt) return mailingContentSchema.parse(mailing.content)
  try {
    return await freezeContent(db, mailing)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return withdrawn(mailing)
    throw error
  }
}

const withdrawn = ({ kind, subject, preheader }: FullMailing): MailingContent => ({
  kind,
  subject,
  preheader,
  title: subject,
  date: null,
  intro: '',
  sections: [],
  closing: '',
  path: null,
})
