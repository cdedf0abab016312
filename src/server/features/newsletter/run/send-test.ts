import type { MailingContent } from '#shared/contracts/newsletter.ts'
import { AppError } from '#shared/errors.ts'
import { createTestLinks } from '../../mail-preferences/mail-links.ts'
import { createComposer, type Recipient } from '../compose/composer.ts'
import type { RunDeps } from './run-deps.ts'

/**
 * One mail of a letter, composed, signed and handed over as the letter's own are, marked as a test in its subject.
 * @throws AppError mail_not_taken
 */
export async function sendTest(
  { config, post, clock }: Pick<RunDeps, 'config' | 'post' | 'clock'>,
  content: MailingContent,
  to: Recipient,
): Promise<void> {
  const compose = createComposer({
    content: { ...content, subject: `[Test] ${content.subject}` },
    from: post.from,
    publicUrl: config.publicUrl,
    links: createTestLinks({ config }),
    clock,
  })
  const { kind, response } = await post.send(to.email, compose(to))
  if (kind !== 'accepted')
    throw new AppError('mail_not_taken', { message: `The mail server did not take it: ${response}` })
}
