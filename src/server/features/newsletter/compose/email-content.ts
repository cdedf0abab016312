import type { MailingContent, MailingKind, MailSection } from '#shared/contracts/newsletter.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'
import { publication } from '#shared/publication.ts'
import { type Placeholders, stripMarkers } from './placeholders.ts'

/** A letter before it is set: its words with holes in them, in the order in which they were written. */
export type EmailContent = {
  kind: MailingKind
  title: string
  preheader: string
  date: string | null
  intro: string
  items: Item[]
  closing: string
  /** Where the whole is read; null when there is no such place. */
  href: string | null
  /** One sentence in the footer: why this person gets it. */
  because: string
  /** Lines under the footer; empty for none. */
  postalAddress: string[]
}

export type Item = {
  heading: string
  summary: string
  body: string
  /** Level and areas, quiet; minutes stand first. */
  facts: string[]
  minutes: string | null
  href: string | null
}

/** Reads the frozen content once. A digest tells what there is and leads to it; the others bring the whole text. */
export function buildEmailContent(
  content: MailingContent,
  { postalAddress, publicUrl }: { postalAddress: string | null; publicUrl: string },
  placeholders: Placeholders,
): EmailContent {
  const words = (text: string) => placeholders.inText(text)
  const hrefOf = (path: string | null) => (path === null ? null : publicUrl + path)
  const item = (section: MailSection): Item => ({
    heading: words(section.heading),
    summary: words(section.summary),
    body: content.kind === 'digest' ? '' : words(section.body),
    facts: [
      ...(section.aiLevel ? [aiLevelLabels[section.aiLevel].title] : []),
      ...(section.focusAreas.length > 0 ? [section.focusAreas.join(', ')] : []),
    ],
    minutes: section.minutes === null ? null : `${section.minutes} min`,
    href: hrefOf(section.path),
  })
  return {
    kind: content.kind,
    title: words(content.title),
    preheader: words(content.preheader),
    date: content.date,
    intro: words(content.intro),
    items: content.sections.map(item),
    closing: words(content.closing),
    href: hrefOf(content.path),
    because: becauseOf[content.kind],
    postalAddress: postalAddress?.split('\n').map(stripMarkers) ?? [],
  }
}

const becauseOf: Record<MailingKind, string> = {
  issue: `You’re receiving this email because your ${publication.name} membership includes weekly drops.`,
  digest: 'You’re receiving this email because you chose the monthly digest instead of weekly drops.',
  news: `You’re receiving this email because you’re a member of ${publication.name} and get product news.`,
}

export const unsubscribeLabel: Record<MailingKind, string> = {
  issue: 'Unsubscribe from weekly drops',
  digest: 'Unsubscribe from the digest',
  news: 'Unsubscribe from product news',
}

/** Above the list of items, which is worth its place from the third item on. */
export const contentsTitle: Record<MailingKind, string> = {
  issue: 'In this drop',
  digest: 'In this digest',
  news: 'In this email',
}
export const hasContents = ({ kind, items }: EmailContent): boolean => kind !== 'digest' && items.length > 2
