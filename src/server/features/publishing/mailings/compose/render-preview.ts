import { rankSections } from '#shared/domain/rank-sections.ts'
import { type ComposerOptions, createComposer, type Recipient } from './composer.ts'

export type Preview = {
  subject: string
  html: string
  text: string
  /** Indices of the content's sections. */
  order: readonly number[]
  /** Why the first section comes first; null if nothing matches the reader. */
  reason: string | null
}

/**
 * Composes the email for a reader and parses it like an email client. Pass inert links, or a click in the preview could
 * unsubscribe the member.
 */
export async function previewFor(options: ComposerOptions, to: Recipient): Promise<Preview> {
  const { headers, body } = createComposer(options)(to)
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const { default: PostalMime } = await import('postal-mime')
  const email = await PostalMime.parse(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
  return {
    subject: email.subject ?? '',
    html: email.html ?? '',
    text: email.text ?? '',
    ...rankSections(options.config.settings.publication, options.content.sections, to.reader),
  }
}
