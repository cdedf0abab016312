import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import {
  contentDocument,
  guideFile,
  guides,
  issueSections,
  issues,
  mediaImage,
  prompts,
} from '#server/db/schema/index.ts'
import { readLinkTargets } from '#server/features/library/content/link-targets.ts'
import { readBlocks } from '#server/features/library/content/read-issues.ts'
import type { GuideDraft, IssueDraft, PromptPackDraft } from '#shared/contracts/publishing/documents.ts'
import { type Problem, problemsOf } from '#shared/contracts/publishing/publishable.ts'
import { exceedsExpandedLength, referencedBlockIds } from '#shared/domain/block-references.ts'
import { checkMarkdown, lastDayOf } from '#shared/domain/check-content.ts'
import { internalLinksIn, problemOfLink } from '#shared/domain/internal-links.ts'
import { imagesIn, parseImageAddress } from '#shared/domain/markdown-images.ts'
import { findMergeFields, isKnownField } from '#shared/domain/merge-fields.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'
import { type DocumentKey, readPublishedSlug, withSlug } from './stored-document.ts'

/** When it would be published, or null for a preview: a date may be in the future until then. */
export type CheckTimes = {
  now: Date
  publishAt: Date | null
  /** Addresses of drops that are about to be published, which a link may lead to. */
  expectedDrops?: ReadonlySet<string>
}

/**
 * Missing or invalid fields, future dates, references that don't exist, and warnings about the texts. Only those in
 * `errorsIn` prevent publishing.
 */
export async function checkDocument(
  db: Db | Tx,
  name: DocumentKey,
  document: unknown,
  times: CheckTimes,
): Promise<Problem[]> {
  const found = [...problemsOf(name.kind, document), ...checkDays(document as Days, times)]
  switch (name.kind) {
    case 'issue':
      return [...found, ...(await checkIssue(db, name.id, document as IssueDraft, times.expectedDrops))]
    case 'prompt-pack':
      return [...found, ...(await checkPromptPack(db, name.id, document as PromptPackDraft))]
    case 'guide':
      return [...found, ...(await checkGuide(db, name.id, document as GuideDraft))]
    case 'tool':
      return found
  }
}

type Days = { date?: string; checkedOn?: string; testedOn?: string }

const checkDays = ({ date, checkedOn = '', testedOn = '' }: Days, { now, publishAt }: CheckTimes) => [
  ...(publishAt && date === '' ? [{ path: 'date', message: 'The date is missing' }] : []),
  ...(publishAt && date && date > lastDayOf(publishAt) ? [{ path: 'date', message: 'The date is in the future' }] : []),
  ...(checkedOn > lastDayOf(now) ? [{ path: 'checkedOn', message: 'The date is in the future' }] : []),
  ...(testedOn > lastDayOf(now) ? [{ path: 'testedOn', message: 'The date is in the future' }] : []),
]

/** Finds links inside the portal without a target. Sections of this draft count as targets before they are published. */
async function checkLinks(
  db: Db | Tx,
  texts: [path: string, text: string][],
  drop: IssueDraft,
  expectedDrops: ReadonlySet<string>,
): Promise<Problem[]> {
  const links = texts.flatMap(([path, text]) => internalLinksIn(text).map((link) => ({ path, ...link })))
  if (links.length === 0) return []
  const targets = await readLinkTargets(db)
  const own = new Set(drop.sections.map(({ id }) => sectionAnchor(id)))
  const withDraft = { ...targets, sections: new Map([...targets.sections, [drop.slug, own]]) }
  const drafts = await listDropSlugs(db)
  return links.flatMap(({ path, line, address }) => {
    const [, slug = ''] = /^\/portal\/weekly-drops\/([a-z0-9-]+)$/.exec(address) ?? []
    if (!targets.sections.has(slug) && expectedDrops.has(slug)) return []
    if (!targets.sections.has(slug) && drafts.has(slug)) {
      const message = `The link ${address} works once that drop is published`
      return [{ path, message, severity: 'warning' as const }]
    }
    const message = problemOfLink(address, drop.slug, withDraft)
    return message === null ? [] : [{ path, message: line === 1 ? message : `Line ${line}: ${message}` }]
  })
}

/** Addresses that drops have or will have, drafts among them. */
async function listDropSlugs(db: Db | Tx): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ slug: sql<string>`${contentDocument.document} ->> 'slug'` })
    .from(contentDocument)
    .where(eq(contentDocument.kind, 'issue'))
  return new Set(rows.map(({ slug }) => slug).filter(Boolean))
}

async function checkIssue(
  db: Db | Tx,
  id: string,
  draft: IssueDraft,
  expectedDrops: ReadonlySet<string> = new Set(),
): Promise<Problem[]> {
  const drop = await withSlug(db, id, draft)
  const texts: [path: string, text: string][] = [
    ['worth', drop.worth],
    ['intro', drop.intro],
    ...drop.sections.flatMap(({ body, examples }, index): [string, string][] => [
      [`sections.${index}.body`, body],
      ...Object.entries(examples).map(([vertical, text]): [string, string] => [
        `sections.${index}.examples.${vertical}`,
        text,
      ]),
    ]),
    ['closing', drop.closing],
  ]
  const blocks = await readBlocks(
    db,
    texts.map(([, text]) => text),
  )
  const blockTexts = texts.flatMap(([path, text]) =>
    referencedBlockIds(text).map((block): [path: string, text: string] => [path, blocks.get(block) ?? '']),
  )
  const images = await findImages(
    db,
    texts.flatMap(([, text]) => hashesIn(text)),
  )
  const missing = texts.flatMap(([path, text]) => [
    ...referencedBlockIds(text)
      .filter((block) => !blocks.has(block))
      .map((block) => ({ path, message: `There is no block named “${block}”` })),
    ...referencedBlockIds(text).flatMap((block) =>
      checkMarkdown([], blocks.get(block) ?? '').map(({ message }) => ({
        path,
        message: `In the block “${block}”: ${message}`,
        severity: 'warning' as const,
      })),
    ),
    ...(exceedsExpandedLength(text, blocks)
      ? [{ path, message: 'This text is too long with its blocks filled in' }]
      : []),
    ...hashesIn(text)
      .filter((hash) => !images.has(hash))
      .map(() => ({ path, message: 'An image was deleted. Insert it again.' })),
  ])
  return [
    ...missing,
    ...checkMergeFields(drop),
    ...(await checkLinks(db, [...texts, ...blockTexts], drop, expectedDrops)),
    ...(await checkSectionIds(db, id, drop)),
    ...(await checkAddress(db, id, drop.slug)),
  ]
}

async function checkSectionIds(db: Db | Tx, id: string, { sections }: IssueDraft): Promise<Problem[]> {
  const ids = sections.map((section) => section.id)
  const others = await db
    .select({ id: issueSections.id })
    .from(issueSections)
    .where(and(inArray(issueSections.id, ids), ne(issueSections.issueId, id)))
  return takenIndexes(ids, others).map((index) => ({
    path: `sections.${index}.heading`,
    message: 'This section is already published elsewhere. Remove it here, then add it again.',
  }))
}

/** Indexes of the ids that occur twice in `ids`, or in `others`. */
function takenIndexes(ids: readonly string[], others: readonly { id: string }[]): number[] {
  const taken = new Set(others.map(({ id }) => id))
  return ids.flatMap((id, index) => (taken.has(id) || ids.indexOf(id) !== index ? [index] : []))
}

/** Merge fields work only in body texts: titles and headings are the same for everyone and are part of URLs. */
function checkMergeFields({ title, preview, sections }: IssueDraft): Problem[] {
  const lines: [path: string, line: string][] = [
    ['title', title],
    ['preview', preview],
    ...sections.flatMap(({ heading, summary }, index): [string, string][] => [
      [`sections.${index}.heading`, heading],
      [`sections.${index}.summary`, summary],
    ]),
  ]
  return lines.flatMap(([path, line]) =>
    findMergeFields(line)
      .filter(({ name }) => isKnownField(name))
      .map(({ written }) => ({ path, message: `“${written}” only works in the opening, sections and closing` })),
  )
}

const hashesIn = (text: string) => imagesIn(text).flatMap(({ address }) => parseImageAddress(address)?.hash ?? [])

async function findImages(db: Db | Tx, hashes: string[]): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db.select({ hash: mediaImage.hash }).from(mediaImage).where(inArray(mediaImage.hash, hashes))
  return new Set(rows.map(({ hash }) => hash))
}

/** A published slug never changes, because emails and bookmarks link to it. */
async function checkAddress(db: Db | Tx, id: string, slug: string): Promise<Problem[]> {
  const own = await readPublishedSlug(db, id)
  if (own !== null && own !== slug)
    return [{ path: 'slug', message: `Already published as “${own}”, so the address can’t change` }]
  const others = await db.$count(issues, and(eq(issues.slug, slug), ne(issues.id, id)))
  return others > 0 ? [{ path: 'slug', message: 'Another drop has this address' }] : []
}

async function checkPromptPack(db: Db | Tx, id: string, pack: PromptPackDraft): Promise<Problem[]> {
  const ids = pack.prompts.map((prompt) => prompt.id)
  const others = await db
    .select({ id: prompts.id })
    .from(prompts)
    .where(and(inArray(prompts.id, ids), ne(prompts.categoryId, id)))
  return takenIndexes(ids, others).map((index) => ({
    path: `prompts.${index}.title`,
    message: 'This prompt is already published elsewhere. Remove it here, then add it again.',
  }))
}

async function checkGuide(db: Db | Tx, id: string, { fileVersion }: GuideDraft): Promise<Problem[]> {
  const missingFile = [{ path: 'fileVersion', message: 'The file is missing' }]
  if (fileVersion !== null) {
    const isThere = await db.$count(guideFile, and(eq(guideFile.guideId, id), eq(guideFile.version, fileVersion)))
    return isThere > 0 ? [] : missingFile
  }
  // Without an upload, the guide needs a file in the content folder.
  const [row] = await db.select({ file: guides.file }).from(guides).where(eq(guides.id, id))
  return row?.file ? [] : missingFile
}
