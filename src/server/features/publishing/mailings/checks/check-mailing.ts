import { createPublicKey } from 'node:crypto'
import { resolveTxt } from 'node:dns/promises'
import type { Deps } from '#server/feature.ts'
import { createTestLinks, type EmailLinks } from '#server/features/publishing/email-preferences/email-links.ts'
import { type ListSender, readListSender } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import type { EmailConfig } from '#server/mail/email-document.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { replaceMergeFields } from '#shared/domain/merge-fields.ts'
import { unknownReader } from '#shared/domain/reader.ts'
import { previewFor } from '../compose/composer.ts'
import { checkContrast } from './check-contrast.ts'
import { checkLinks, createPageLookup, type LinkDeps } from './check-links.ts'
import { checkPostalAddress, checkSender, type SenderDomain } from './check-sender.ts'
import { checkWords } from './check-text.ts'
import { createFetchLink } from './fetch-link.ts'
import { comparePlaces, type Problem } from './mailing-problem.ts'

/** Gmail clips longer HTML, including the unsubscribe link. */
const maxBytes = 102_000

function checkSize(html: string): Problem[] {
  const bytes = Buffer.byteLength(html)
  if (bytes <= maxBytes) return []
  const message = `The email is ${Math.ceil(bytes / 1000)} kB. Gmail clips anything over ${maxBytes / 1000} kB`
  return [{ severity: 'error', check: 'size', message, place: null }]
}

/** Checks that the plain-text version has every heading. */
export function checkPlainText(text: string | null, headings: readonly string[]): Problem[] {
  const problem = (message: string): Problem[] => [{ severity: 'error', check: 'plain-text', message, place: null }]
  if (text === null || text.trim() === '') return problem('The plain-text version is empty')
  const words = inOneLine(text)
  const missing = headings.filter((heading) => !words.includes(inOneLine(heading)))
  return missing.length > 0 ? problem(`The plain-text version is missing “${missing.join('”, “')}”`) : []
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim().toUpperCase()

export type CheckDeps = LinkDeps & {
  config: EmailConfig
  from: ListSender
  /** Inert links, so that a check can't unsubscribe a member. */
  links: EmailLinks
  /** Null in the sandbox, which doesn't send email. */
  sender: SenderDomain | null
  /** Keys of the publisher's fields. */
  fieldKeys?: readonly string[]
}

/** Runs all checks on the content of a mailing. Errors come first, then by position. Changes nothing. */
export async function checkMailing(deps: CheckDeps, content: MailingContent): Promise<Problem[]> {
  const { config, from, links, sender } = deps
  // Any reader works, since only the order of the sections differs.
  const to = {
    deliveryId: '0',
    userId: '',
    email: `reader@${from.address.split('@')[1]}`,
    name: null,
    reader: unknownReader,
  }
  const [{ html, text }, ofLinks, ofSender] = await Promise.all([
    previewFor({ content, from, config, links }, to),
    checkLinks(content, deps),
    sender ? checkSender(sender) : [],
  ])
  const headings = content.sections.map(({ heading }) => replaceMergeFields(heading, ({ fallback }) => fallback))
  const problems = [
    ...checkWords(content, deps.fieldKeys),
    ...ofLinks,
    ...checkSize(html),
    ...checkContrast(html),
    ...checkPlainText(text, headings),
    ...checkPostalAddress(from),
    ...ofSender,
  ]
  return problems.toSorted((a, b) => a.severity.localeCompare(b.severity) || comparePlaces(a.place, b.place))
}

/** Dependencies of the checks in a running server. */
export const checkDepsOf = async ({
  config,
  database,
  newsletterMailer,
}: Pick<Deps, 'config' | 'database' | 'newsletterMailer'>): Promise<CheckDeps> => ({
  config,
  from: await readListSender({ config, database, newsletterMailer }),
  links: createTestLinks({ config }),
  fetchLink: createFetchLink(),
  pageExists: createPageLookup(database.db),
  fieldKeys: (await readCustomFields(database.db)).map(({ key }) => key),
  sender: config.mail.kind === 'smtp' ? senderDomain(newsletterMailer.from.address, config.mail.dkim) : null,
})

function senderDomain(
  address: string,
  dkim: { domain: string; selector: string; privateKey: string } | null,
): SenderDomain {
  return {
    domain: address.slice(address.lastIndexOf('@') + 1),
    dkim: dkim && { domain: dkim.domain, selector: dkim.selector, publicKey: publicKeyOf(dkim.privateKey) },
    resolveTxt,
  }
}

/** The key as published in the `p=` tag. */
const publicKeyOf = (privateKey: string) =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
