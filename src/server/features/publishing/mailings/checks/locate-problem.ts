import type { Deps } from '#server/feature.ts'
import { type IssueDrafts, readIssueDrafts } from '#server/features/publishing/documents/issue-drafts.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { type MailingProblem, type ProblemTarget, problemText } from '#shared/contracts/publishing/mailing-preview.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { expandBlocks, findSourceLine } from '#shared/domain/block-references.ts'
import { checkDepsOf, checkMailing } from './check-mailing.ts'
import type { FetchLink } from './fetch-link.ts'
import { formatPlace, type Place } from './mailing-problem.ts'

type Located = Pick<MailingProblem, 'place' | 'target'>

/**
 * Finds the field in which a problem can be fixed. Line numbers are those of the editor: a content block counts as one
 * reference, and a problem inside a block points to the block.
 */
function locateProblem(content: MailingContent, place: Place, sources: IssueDrafts): Located {
  const { kind } = content
  const { part, section, line } = place
  if (part === 'subject' || part === 'preheader') {
    return { place: formatPlace(place), target: { in: 'mailing', field: part, line: null } }
  }
  if (kind === 'news') {
    const field = part === 'title' ? 'title' : 'body'
    return { place: formatPlace(place, kind), target: { in: 'mailing', field, line } }
  }
  // The text of a digest is generated; its sections belong to their issues.
  const slug = slugIn(section === null ? (kind === 'digest' ? null : content.path) : content.sections[section]?.path)
  const drop = slug === null ? undefined : sources.issues.get(slug)
  if (!drop) return { place: formatPlace(place), target: null }
  const source = findSource(content, place, drop.draft, slug)
  const named = kind === 'digest' ? `“${drop.draft.title}”, ` : ''
  const words = (at: Place) => `${named}${named ? lower(formatPlace(at)) : formatPlace(at)}`
  if (!source) return { place: words(place), target: { in: 'drop', id: drop.id, field: 'title', line: null } }
  const origin = line === null ? null : originIn(source, line, sources.blocks)
  if (origin?.block) {
    const block = sources.blocks.get(origin.block)
    return {
      place: `Block “${block?.title ?? origin.block}”, line ${origin.line}`,
      target: { in: 'block', id: origin.block, line: origin.line },
    }
  }
  const target: ProblemTarget = { in: 'drop', id: drop.id, field: source.field, line: origin?.line ?? null }
  return { place: words({ ...place, section: source.section, line: origin ? origin.line : line }), target }
}

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** "a-week-of-reviews" of "/portal/weekly-drops/a-week-of-reviews#section-2". */
const slugIn = (path: string | null | undefined): string | null =>
  path ? (/^\/portal\/weekly-drops\/([^/#]+)/.exec(path)?.[1] ?? null) : null

type Source = { field: string; section: number | null; written: string; sent: string }

const issueParts = ['title', 'worth', 'editorNote', 'intro', 'closing', 'question'] as const
const isIssuePart = (part: string): part is (typeof issueParts)[number] => issueParts.some((each) => each === part)

/** The draft field a text came from. A section that has moved is found by its heading. */
function findSource(
  content: MailingContent,
  { part, section }: Place,
  draft: IssueDraft,
  slug: string | null,
): Source | null {
  if (section === null) {
    if (!isIssuePart(part)) return null
    return { field: part, section, written: draft[part], sent: content[part] ?? '' }
  }
  if (part !== 'heading' && part !== 'summary' && part !== 'body') return null
  const sent = content.sections[section]
  if (!sent) return null
  const before = content.sections.slice(0, section).filter(({ path }) => slugIn(path) === slug).length
  const index =
    draft.sections[before]?.heading === sent.heading
      ? before
      : draft.sections.findIndex(({ heading }) => heading === sent.heading)
  const found = draft.sections[index]
  return found ? { field: `sections.${index}.${part}`, section: index, written: found[part], sent: sent[part] } : null
}

/** Null if the draft has changed and no longer contains the line. */
function originIn({ written, sent }: Source, line: number, blocks: IssueDrafts['blocks']) {
  const bodies = new Map([...blocks].map(([id, { body }]) => [id, body]))
  if (expandBlocks(written, bodies) === sent) return findSourceLine(written, bodies, line)
  const wanted = sent.split('\n')[line - 1]
  const index = written.split('\n').indexOf(wanted ?? '')
  return index === -1 ? null : { block: null, line: index + 1 }
}

/** Slugs of the issues a mailing's texts come from. */
const slugsIn = (content: MailingContent): string[] => [
  ...new Set([content.path, ...content.sections.map(({ path }) => path)].flatMap((path) => slugIn(path) ?? [])),
]

export type FindOptions = {
  /** A path that counts as published. */
  assumePublished?: string | null
  /** Skips links to other servers and the DNS records of the sender, so that the result is there at once. */
  withoutNetwork?: boolean
  /** An unsaved draft, which problems refer to instead of the saved one. */
  unsaved?: { id: string; draft: IssueDraft }
}

/** Runs all checks. Errors come first, duplicates are removed. */
export async function findProblems(
  deps: Pick<Deps, 'config' | 'database' | 'newsletterMailer'>,
  content: MailingContent,
  { assumePublished = null, withoutNetwork = false, unsaved }: FindOptions = {},
): Promise<MailingProblem[]> {
  const { pageExists, ...checks } = await checkDepsOf(deps)
  const isThere: typeof pageExists = async (path) => path === assumePublished || pageExists(path)
  const local = withoutNetwork ? { ...checks, fetchLink: skipLink, sender: null } : checks
  const problems = await checkMailing({ ...local, pageExists: isThere }, content)
  const sources = { ...(await readIssueDrafts(deps.database.db, problems.length > 0 ? slugsIn(content) : [])) }
  if (unsaved) sources.issues = new Map(slugsIn(content).map((slug) => [slug, unsaved]))
  const readable = problems.map(({ place, ...problem }) => ({
    ...problem,
    ...(place ? locateProblem(content, place, sources) : { place: null, target: null }),
  }))
  return [...new Map(readable.map((problem) => [problemText(problem), problem])).values()]
}

const skipLink: FetchLink = async () => ({ status: 200, location: null })
