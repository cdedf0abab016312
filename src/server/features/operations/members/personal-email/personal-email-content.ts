import { displayName } from '#server/features/identity/auth/security/editor.ts'
import { noMailing } from '#server/features/publishing/mailings/admin/count-audience.ts'
import type { Principal } from '#server/http/principal.ts'
import { everyone, type MailingContent } from '#shared/contracts/publishing/newsletter.ts'

/** Before it is sent, for previews and for the member's state. */
export const unsentPersonalEmail = {
  id: noMailing,
  kind: 'personal',
  issueId: null,
  audience: everyone,
  preparedAt: null,
} as const

const maxPreviewLength = 120

/** The first words as the inbox shows them, without Markdown and without half a merge field. */
const beginningOf = (text: string): string =>
  text
    // The rest can't be part of it.
    .slice(0, 20 * maxPreviewLength)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[#>*\-\s]+|[*`]+/gm, '')
    .replace(/\s+/g, ' ')
    .slice(0, maxPreviewLength)
    .replace(/\{\{[^}]*\}?$/, '')
    .toWellFormed()
    .trim()

export function personalEmailContent(
  { subject, text }: { subject: string; text: string },
  { name }: Pick<Principal, 'name'>,
): MailingContent {
  const sender = displayName(name, '')
  return {
    kind: 'personal',
    subject,
    preheader: beginningOf(text),
    title: subject,
    date: null,
    worth: '',
    ...(sender && { sender }),
    intro: text,
    sections: [],
    closing: '',
    question: '',
    path: null,
  }
}
