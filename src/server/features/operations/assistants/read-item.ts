import { and, eq, isNull } from 'drizzle-orm'
import { contentItems } from '#server/db/schema/index.ts'
import { isBought } from '#server/features/billing/purchases/owned-items.ts'
import { readOpenDrop } from '#server/features/publishing/public-pages/open-drops.ts'
import { withWholeAddresses } from '#server/features/publishing/public-pages/public-addresses.ts'
import { toMarkdown } from '#server/features/publishing/public-pages/to-markdown.ts'
import { type FullIssue, type IssueSection, weeklyDropCall } from '#shared/contracts/library/issues.ts'
import {
  guidesCall,
  type ListedPrompt,
  type PromptCategory,
  promptPacksCall,
  toolsCall,
} from '#shared/contracts/library/library.ts'
import { getPreferencesCall } from '#shared/contracts/reader/onboarding.ts'
import { markReadCall } from '#shared/contracts/reader/saved.ts'
import type { ItemRef } from '#shared/domain/content-items.ts'
import { type FranchiseTopic, toolCriterionLabels } from '#shared/domain/content-labels.ts'
import { showPlaceholders } from '#shared/domain/placeholders.ts'
import { rankSections } from '#shared/domain/rank-sections.ts'
import { type Reader, unknownReader } from '#shared/domain/reader.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { soldItemPath } from '#shared/domain/sold-items.ts'
import { verticalsOf } from '#shared/domain/verticals.ts'
import { AppError } from '#shared/errors.ts'
import { type Assistant, findItem, slugOfPath } from './assistant.ts'

export type ReadItem = {
  title: string
  /** Path of its page. */
  path: string
  /** Markdown, as far as it is open to the person. */
  text: string
  /** False if the person would need a plan for the rest. */
  isOpen: boolean
}

export async function readReader({ call }: Assistant): Promise<Reader> {
  return (await call(getPreferencesCall, {})).preferences ?? unknownReader
}

/** An item as Markdown, as far as it is open to the person. What they open counts as read. */
export async function readItem(assistant: Assistant, ref: ItemRef): Promise<ReadItem> {
  const item = await findItem(assistant, ref)
  if (ref.kind === 'issue') return readDrop(assistant, slugOfPath(item.path))
  if (ref.kind === 'section') return readSection(assistant, ref.id, slugOfPath(item.path))
  if (!(await isOpenTo(assistant, ref))) return { ...item, text: closedText(assistant, item.title), isOpen: false }
  const text = await readers[ref.kind](assistant, ref.id)
  if (assistant.hasAccess) return { ...item, text, isOpen: true }
  const pack = ref.kind === 'prompt' ? (await findPrompt(assistant, ref.id)).pack.id : null
  const path = soldItemPath(pack === null ? { kind: 'guide', id: ref.id } : { kind: 'prompt-pack', id: pack })
  return { ...item, path, text, isOpen: true }
}

/** Everything is open to members, and to others what they bought on its own. */
export const isOpenTo = async ({ hasAccess, deps, who }: Assistant, ref: ItemRef): Promise<boolean> =>
  hasAccess || isBought(deps.database.db, who.userId, ref)

/** How to get what isn't open. */
export const howToGet = ({ link, deps }: Assistant): string =>
  `Members of ${deps.config.settings.publication.name} read it: ${link('/#pricing')}`

const closedText = (assistant: Assistant, title: string) => `“${title}” isn’t open to you. ${howToGet(assistant)}`

const readers = { prompt: readPrompt, guide: readGuide, tool: readTool }

const markdownOf = ({ link }: Assistant, html: string, path: string) =>
  html && toMarkdown(withWholeAddresses(html, link('/').replace(/\/$/, ''), link(path)))

export async function readDrop(assistant: Assistant, slug: string): Promise<ReadItem> {
  if (!assistant.hasAccess) return readOpenPart(assistant, slug)
  const { issue } = await assistant.call(weeklyDropCall, { slug })
  const path = `/portal/weekly-drops/${slug}`
  const reader = await readReader(assistant)
  const { order, reason } = rankSections(assistant.deps.config.settings.publication, issue.sections, reader)
  const sections = order.flatMap((index) => issue.sections[index] ?? [])
  const parts = [
    `# ${issue.title}`,
    issue.preview,
    reason && `_Your order: ${reason}._`,
    markdownOf(assistant, issue.introHtml, path),
    issue.worthHtml && `## What it’s worth\n\n${markdownOf(assistant, issue.worthHtml, path)}`,
    ...sections.map((section) => sectionText(assistant, section, reader, path)),
    markdownOf(assistant, issue.closingHtml, path),
    issue.question && `**The question before the next drop:** ${issue.question}`,
    issue.editorNote && `**From the editor:** ${issue.editorNote}`,
  ]
  await markRead(assistant, issue, issue.sections)
  return { title: issue.title, path, text: joined(parts), isOpen: true }
}

async function readSection(assistant: Assistant, id: string, slug: string): Promise<ReadItem> {
  if (!assistant.hasAccess) return readOpenPart(assistant, slug, sectionAnchor(id))
  const { issue } = await assistant.call(weeklyDropCall, { slug })
  const section = issue.sections.find((other) => other.id === id)
  if (!section) throw new AppError('not_found')
  const path = `/portal/weekly-drops/${slug}#${sectionAnchor(id)}`
  const text = sectionText(assistant, section, await readReader(assistant), path)
  await markRead(assistant, issue, [section])
  return { title: section.heading || issue.title, path, text: joined([`From “${issue.title}”`, text]), isOpen: true }
}

const markRead = ({ call, deps }: Assistant, { id }: FullIssue, sections: readonly IssueSection[]) =>
  call(markReadCall, {
    items: [{ kind: 'issue', id }, ...sections.map((section) => ({ kind: 'section' as const, id: section.id }))],
    at: deps.clock().toISOString(),
  })

function sectionText(assistant: Assistant, section: IssueSection, { franchiseType }: Reader, path: string): string {
  const { id, heading, minutes, html, examplesHtml } = section
  const example = verticalsOf(franchiseType).map((vertical) => examplesHtml[vertical])[0]
  return joined([
    heading && `## ${heading}`,
    `_${minutes} min to try · section:${id}_`,
    markdownOf(assistant, html, path),
    example && markdownOf(assistant, example, path),
  ])
}

/** The part of a drop, or of one of its sections, that everyone may read. */
async function readOpenPart(assistant: Assistant, slug: string, anchor?: string): Promise<ReadItem> {
  const drop = await readOpenDrop(assistant.deps.database.db, slug)
  if (!drop) throw new AppError('not_found')
  const sections = drop.sections.filter((section) => anchor === undefined || section.anchor === anchor)
  const path = `/drops/${slug}${anchor === undefined ? '' : `#${anchor}`}`
  const closed = sections.filter(({ html }) => html === null)
  const text = joined([
    `# ${drop.title}`,
    ...(anchor === undefined ? [drop.preview, markdownOf(assistant, drop.introHtml, path)] : []),
    anchor === undefined && markdownOf(assistant, drop.worthHtml, path),
    ...sections.map(
      ({ heading, html }) => html !== null && joined([heading && `## ${heading}`, markdownOf(assistant, html, path)]),
    ),
    anchor === undefined && markdownOf(assistant, drop.closingHtml, path),
    closed.length > 0 &&
      `Not open to you: ${closed.map(({ heading }) => heading || 'the rest of the text').join('; ')}. ${howToGet(assistant)}`,
  ])
  const title = (anchor !== undefined && sections[0]?.heading) || drop.title
  return { title, path, text, isOpen: closed.length === 0 }
}

export async function findPrompt(
  { call }: Assistant,
  id: string,
): Promise<{ pack: PromptCategory; prompt: ListedPrompt }> {
  const { categories } = await call(promptPacksCall, {})
  for (const pack of categories) {
    const prompt = pack.prompts.find((other) => other.id === id)
    if (prompt) return { pack, prompt }
  }
  throw new AppError('not_found')
}

async function readPrompt(assistant: Assistant, id: string): Promise<string> {
  return promptText((await findPrompt(assistant, id)).prompt)
}

export function promptText({ title, when, body, checks, example, minutes }: ListedPrompt): string {
  return joined([
    `# ${title}`,
    when,
    minutes && `_About ${minutes} min_`,
    `## Prompt\n\n${showPlaceholders(body)}`,
    checks.length > 0 && `## Check the answer\n\n${bullets(checks)}`,
    example &&
      `## An invented example with a mistake in it\n\n**Input:** ${example.input}\n\n**Answer:** ${example.answer}\n\n**Mistake:** ${example.mistake}\n\n**Corrected:** ${example.corrected}`,
  ])
}

/** Description of a guide, and the text of its file. */
async function readGuide({ call, deps }: Assistant, id: string): Promise<string> {
  const guide = (await call(guidesCall, {})).guides.find((other) => other.id === id)
  const [indexed] = await deps.database.db
    .select({ text: contentItems.body })
    .from(contentItems)
    .where(and(eq(contentItems.kind, 'guide'), eq(contentItems.id, id), isNull(contentItems.removedAt)))
  if (!guide) throw new AppError('not_found')
  return joined([
    `# ${guide.title}`,
    `_${guide.type} · ${guide.format} · ${guide.extent}_`,
    guide.description,
    bullets(guide.inside),
    indexed?.text && `## Text of the file\n\n${indexed.text}`,
  ])
}

async function readTool({ call }: Assistant, id: string): Promise<string> {
  const tool = (await call(toolsCall, {})).tools.find((other) => other.id === id)
  if (!tool) throw new AppError('not_found')
  const criteria = Object.entries(tool.criteria).map(
    ([criterion, text]) => `${toolCriterionLabels[criterion as keyof typeof toolCriterionLabels]}: ${text}`,
  )
  return joined([
    `# ${tool.name}`,
    `_${tool.category}${tool.rating === null ? '' : ` · ${tool.rating} / 5.0`}_`,
    tool.verdict,
    tool.description,
    tool.useCase,
    tool.goodFor.length > 0 && `## Good for\n\n${bullets(tool.goodFor)}`,
    tool.watchOut.length > 0 && `## Watch out\n\n${bullets(tool.watchOut)}`,
    criteria.length > 0 && bullets(criteria),
    tool.priceNote,
    tool.skipIf && `**Skip it if** ${tool.skipIf}`,
    tool.url,
  ])
}

const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n')

/** Paragraphs without the empty ones. */
export const joined = (parts: readonly (string | number | false | null | undefined)[]): string =>
  parts.filter(Boolean).join('\n\n')

/** Topics of an item that a franchisor may have rules about. */
export async function touchesOf(assistant: Assistant, { kind, id }: ItemRef): Promise<readonly FranchiseTopic[]> {
  const { call } = assistant
  if (kind === 'prompt') return (await findPrompt(assistant, id)).prompt.touches
  if (kind === 'guide') return (await call(guidesCall, {})).guides.find((guide) => guide.id === id)?.touches ?? []
  if (kind === 'tool') return (await call(toolsCall, {})).tools.find((tool) => tool.id === id)?.touches ?? []
  const slug = slugOfPath((await findItem(assistant, { kind, id })).path)
  const { sections } = (await call(weeklyDropCall, { slug })).issue
  return [...new Set(sections.flatMap((section) => (kind === 'issue' || section.id === id ? section.touches : [])))]
}
