import type { FreeSource } from '#server/db/schema/index.ts'
import { mapValues } from '#server/features/library/content/issue-texts.ts'
import type { EmailConfig } from '#server/mail/email-document.ts'
import type { EmailSection, MailingContent, MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import { formatList } from '#shared/domain/format.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { optionLabel, optionLabels } from '#shared/domain/preferences.ts'
import { sectionKindLabels } from '#shared/domain/section-kinds.ts'
import { type Vertical, verticalLabels } from '#shared/domain/verticals.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { type BestAnswers, bestAnswersOf } from './best-answers.ts'
import { type PersonalParts, stripMarkers } from './personal-parts.ts'

/** What kind of email it is, for those that have no number. */
export const kindWords = (kind: MailingKind): string[] =>
  kind === 'digest' ? ['Monthly digest'] : kind === 'news' ? ['News'] : []

/** The content of an email before rendering, with personal parts. */
export type EmailContent = {
  kind: MailingKind
  title: string
  preheader: string
  /** Position of the issue among the published ones, or null. */
  number: number | null
  date: string | null
  /** The issue's worth; empty if it has none, as is the question. */
  worth: string
  /** Null if the issue has none. */
  editorNote: { text: string; signature: string } | null
  intro: string
  items: Item[]
  closing: string
  question: string
  /** Links of the answers are personal. */
  poll: { question: string; answers: { text: string; href: string }[] } | null
  /** URL of the issue in the portal, or null. */
  href: string | null
  bestAnswers: BestAnswers | null
  /** In the free edition, what members also got, and where to become one. */
  members: { line: string; href: string } | null
  /** Footer sentence on why the reader gets this email. */
  because: string
  /** Label of the link that turns the stream off; null for an email that belongs to no list. */
  unsubscribeLabel: string | null
  /** Title of the table of contents, shown for three or more sections with a heading. */
  contentsTitle: string
  questionTitle: string
  /** Label of the button; in plain text, the line above the address. */
  openLabel: string
  linkLabel: string
  /** Lines at the end of the footer. */
  postalAddress: string[]
}

export type Item = {
  heading: string
  summary: string
  body: string
  /** By trade. */
  examples: Partial<Record<Vertical, string>>
  /** AI level and focus areas; in a digest also what it is. */
  facts: string[]
  minutes: string | null
  /** Place among the steps of the lead, and what they add up to. */
  step: { number: number; steps: string } | null
  /** Kind of a section that stands alone: "Prompt of the week". */
  label: string | null
  /** If true, the text is left out and answers to choose from follow; otherwise a link follows the text. */
  headingIsLink: boolean
  href: string | null
}

/** Prepares content for rendering. A digest has summaries and links; other emails have the full text. */
export function buildEmailContent(
  content: MailingContent,
  {
    postalAddress,
    newsletter,
    config,
  }: { postalAddress: string | null; newsletter: string | null; config: EmailConfig },
  parts: PersonalParts,
): EmailContent {
  const { publicUrl } = config
  const { name } = config.settings.publication
  const words = (text: string) => parts.inText(text)
  const own = (text: string) => inOwnWords(config.settings.publication, text)
  const hrefOf = (path: string | null) => (path === null ? null : publicUrl + path)
  const steps = content.kind === 'issue' ? stepsOf(content.sections) : []
  const item = (section: EmailSection, index: number): Item => ({
    heading: words(section.heading),
    summary: words(section.summary),
    body: content.kind === 'digest' ? '' : words(section.body),
    examples: content.kind === 'digest' ? {} : mapValues(section.examples, words),
    facts:
      section.heading === ''
        ? []
        : [
            ...(content.kind === 'digest' && section.kind ? [sectionKindLabels[section.kind]] : []),
            ...(section.aiLevel ? [optionLabel(config.settings.publication, 'aiLevel', section.aiLevel)] : []),
            ...(section.focusAreas.length > 0
              ? [optionLabels(config.settings.publication, 'focusAreas', section.focusAreas).join(', ')]
              : []),
          ],
    minutes: section.minutes === null || section.heading === '' ? null : `${section.minutes} min`,
    step: steps[index] ?? null,
    label: content.kind === 'issue' && section.kind ? sectionKindLabels[section.kind] : null,
    headingIsLink: content.kind === 'digest' || content.kind === 'follow-up',
    href: hrefOf(section.path),
  })
  return {
    kind: content.kind,
    title: words(content.title),
    preheader: words(content.preheader),
    number: content.number ?? null,
    date: content.date,
    worth: words(content.worth),
    editorNote: content.editorNote
      ? { text: words(content.editorNote), signature: signatureOf(name, content.editor) }
      : null,
    intro: words(content.intro),
    items: content.sections.map(item),
    closing: words(content.closing),
    question: words(content.question),
    poll: content.poll ? pollOf(content.poll, parts) : null,
    href: hrefOf(content.path),
    bestAnswers: content.bestAnswers ? bestAnswersOf(content.bestAnswers, publicUrl) : null,
    members: content.membersAlsoGet
      ? {
          line: membersLine(config.settings.publication, content.membersAlsoGet.map(words)),
          href: `${publicUrl}/#pricing`,
        }
      : null,
    because: newsletter
      ? becauseSubscribed(stripMarkers(newsletter), name)
      : content.membersAlsoGet
        ? parts.mark({ kind: 'freeReason' })
        : own(reasons[content.kind](name, content.sender ? stripMarkers(content.sender) : null)),
    unsubscribeLabel: newsletter
      ? `Unsubscribe from ${stripMarkers(newsletter)}`
      : own(unsubscribeLabels[content.kind] ?? '') || null,
    contentsTitle: own(contentsTitle[content.kind]),
    questionTitle: own('One question before the next drop'),
    openLabel: own(content.kind === 'digest' ? 'Open the portal' : 'Open this drop'),
    linkLabel: own(
      content.kind === 'digest' ? 'The portal' : content.membersAlsoGet ? 'This drop' : 'This drop in the portal',
    ),
    postalAddress: postalAddress?.split('\n').map(stripMarkers) ?? [],
  }
}

/** Answers have no merge fields: a vote has to match the answer's text. */
const pollOf = ({ issueId, question, answers }: NonNullable<MailingContent['poll']>, parts: PersonalParts) => ({
  question: parts.inText(question),
  answers: answers.map((answer) => ({
    text: stripMarkers(answer),
    href: parts.mark({ kind: 'poll', issueId, answer }),
  })),
})

/** The sentence that the site shows under the note. */
const signatureOf = (name: string, editor: string | undefined) =>
  editor ? `${stripMarkers(editor)}, editor` : `The editors of ${name}`

/** The steps of each lead, numbered; they keep their order for every reader. */
function stepsOf(sections: readonly EmailSection[]): Item['step'][] {
  const leads: EmailSection[][] = []
  return sections
    .map((section, index) => {
      if (!section.partOfLead) return null
      if (!sections[index - 1]?.partOfLead) leads.push([])
      const lead = leads.at(-1) ?? []
      return { lead, number: lead.push(section) }
    })
    .map((step) => step && { number: step.number, steps: describeSteps(step.lead) })
}

function describeSteps(lead: readonly EmailSection[]): string {
  const minutes = lead.reduce((sum, section) => sum + (section.minutes ?? 0), 0)
  return `${lead.length} ${lead.length === 1 ? 'step' : 'steps'}${minutes > 0 ? `, ${minutes} min in all` : ''}`
}

/** One line; a drop that is open as a whole has nothing more for members. */
function membersLine(publication: Publication, closed: readonly string[]): string {
  const own = (text: string) => inOwnWords(publication, text)
  if (closed.length === 0)
    return own(publication.words.weekly ? 'Members get a drop like this each week.' : 'Members get every drop in full.')
  const headings = closed.filter((heading) => heading !== '')
  if (headings.length === 0) return own('Members got the full text of this drop.')
  const count = headings.length === 1 ? 'this section' : `${headings.length} more sections`
  return `${own(`Members also got ${count} of this drop`)}: ${formatList(headings)}.`
}

/** Why a reader gets the free edition. */
export function freeReason(name: string, source: FreeSource | null): string {
  if (source === null) return `You’re receiving this email because you asked for the free edition of ${name}.`
  return source === 'import'
    ? `You’re receiving this email because ${name} moved your address from an earlier mailing list to its free edition.`
    : `You’re receiving this email because someone at ${name} added you to its free edition.`
}

const becauseSubscribed = (newsletter: string, name: string) =>
  `You’re receiving this email because you’re subscribed to ${newsletter} by ${name}.`

const reasons: Record<MailingKind, (name: string, sender: string | null) => string> = {
  issue: (name) => `You’re receiving this email because your ${name} membership includes weekly drops.`,
  digest: () => 'You’re receiving this email because you chose the monthly digest instead of weekly drops.',
  news: (name) => `You’re receiving this email because you’re on the list of ${name} for product news.`,
  'follow-up': () => 'You’re receiving this email because you copied a prompt or asked for a reminder a week ago.',
  series: (name) =>
    `You’re receiving this email because you have an account with ${name} and get product news and tips.`,
  personal: (name, sender) =>
    `${sender ? `${sender} of ${name}` : name} wrote this email to you alone. To answer, reply to it.`,
}

const unsubscribeLabels: Record<MailingKind, string | null> = {
  issue: 'Unsubscribe from weekly drops',
  digest: 'Unsubscribe from the digest',
  news: 'Unsubscribe from product news',
  'follow-up': 'Stop “Did it work?” emails',
  series: 'Unsubscribe from product news and tips',
  personal: null,
}

/** Headings of texts that don't have one of their own. */
export const worthTitle = 'What it’s worth'
export const firstTitle = 'First for you'
export const stepsTitle = 'Step by step'
export const pollTitle = 'A quick poll'
export const exampleTitle = (vertical: Vertical) => `Example: ${verticalLabels[vertical]}`

const contentsTitle: Record<MailingKind, string> = {
  issue: 'In this drop',
  digest: 'In this digest',
  news: 'In this email',
  'follow-up': 'In this email',
  series: 'In this email',
  personal: 'In this email',
}
export const hasContents = ({ kind, items }: EmailContent): boolean =>
  kind !== 'digest' && kind !== 'follow-up' && items.filter(({ heading }) => heading !== '').length > 2
