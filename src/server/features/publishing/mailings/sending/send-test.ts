import { createTestLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import type { ListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { createComposer, type Recipient } from '../compose/composer.ts'
import type { SendingDeps } from './mailing-row.ts'

/** A mail server can take ten minutes to respond, which is too long for a button. */
const timeoutMs = 25_000

/**
 * Sends one email, composed and signed like the mailing, with [Test] in its subject.
 * @throws AppError email_rejected
 */
export async function sendTest(
  { config, newsletterMailer, clock }: Pick<SendingDeps, 'config' | 'newsletterMailer' | 'clock'>,
  { content, from }: { content: MailingContent; from: ListSender },
  to: Recipient,
  waitMs = timeoutMs,
): Promise<void> {
  const compose = createComposer({
    content: { ...content, subject: `[Test] ${content.subject}` },
    from,
    config,
    links: createTestLinks({ config }),
    clock,
  })
  const outcome = await within(waitMs, newsletterMailer.send(to.email, compose(to)))
  if (!outcome) {
    throw new AppError('email_rejected', {
      message: 'The mail server hasn’t responded yet. The test email may still arrive.',
    })
  }
  const { kind, response } = outcome
  if (kind !== 'accepted')
    throw new AppError('email_rejected', { message: `The mail server rejected the email: ${response}` })
}

async function within<Result>(ms: number, task: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  return Promise.race([task, late]).finally(() => clearTimeout(timer))
}
