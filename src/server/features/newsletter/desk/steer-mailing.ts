import type { Deps } from '#server/deps.ts'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import type { Principal } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import { findMailing } from '../run/mailing-row.ts'
import { pauseMailing, resumeMailing, startMailing, stopMailing, unscheduleMailing } from '../run/mailings.ts'
import { countAudience } from './count-audience.ts'
import { contentOf } from './read-mailing.ts'

type SteerDeps = Pick<Deps, 'config' | 'database' | 'clock'>
type Wanted = { id: string; version: number; at: string | null }

/**
 * Sends a draft now or at an instant to come. What has no subject, no text or no reader is refused: that is a slip and
 * no letter.
 * @throws AppError step_up_required, not_found, not_a_draft, mailing_changed, nobody_to_send_to, validation_failed
 */
export async function sendMailing(deps: SteerDeps, who: Principal, { id, version, at }: Wanted) {
  await requireStepUp(deps, who)
  const { db } = deps.database
  const mailing = await findMailing(db, id)
  if (mailing.status !== 'draft') throw new AppError('not_a_draft')
  if (!mailing.subject.trim()) throw new AppError('validation_failed', { message: 'Please write a subject first' })
  const content = await contentOf(db, mailing)
  if (content.sections.length === 0 && !content.intro.trim()) {
    throw new AppError('validation_failed', { message: 'There is no text to send' })
  }
  const when = at === null ? null : new Date(at)
  if (when && when <= deps.clock()) {
    throw new AppError('validation_failed', { message: 'That time has passed. Choose a later one, or send it now.' })
  }
  // A schedule looks into the future: who reads by then is counted then.
  if (!when && (await countAudience(deps, id, mailing.audience)).receiving === 0) {
    throw new AppError('nobody_to_send_to')
  }
  return { status: await startMailing(deps, { id, version, at: when }) }
}

const actions = {
  pause: pauseMailing,
  resume: resumeMailing,
  stop: stopMailing,
  unschedule: unscheduleMailing,
} as const

/** @throws AppError not_found, mailing_not_steerable */
export async function steerMailing(deps: SteerDeps, { id, action }: { id: string; action: keyof typeof actions }) {
  return { status: await actions[action](deps, id) }
}
