import { rankSections } from '#shared/domain/rank-sections.ts'
import { type ComposerOptions, createComposer, type Recipient } from './composer.ts'

export type Preview = {
  subject: string
  html: string
  text: string
  /** Indices into the content's sections. */
  order: readonly number[]
  /** Why the first stands first; null where the written order was kept and nothing of it is the reader's. */
  reason: string | null
}

/**
 * The letter as this reader gets it: composed like any other and read back as a mailbox reads it. Give it links that do
 * nothing, else a look at a preview may unsubscribe the member it was made for.
 */
export async function previewFor(options: ComposerOptions, to: Recipient): Promise<Preview> {
  const { headers, body } = createComposer(options)(to)
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
  return {
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    ...rankSections(options.content.sections, to.reader),
  }
}
