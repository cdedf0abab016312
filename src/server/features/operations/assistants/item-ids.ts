import { and, eq, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import { contentItems } from '#server/db/schema/index.ts'
import { type ContentKind, type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import { AppError } from '#shared/errors.ts'
import type { Assistant } from './assistant.ts'

/** Kinds as readers name them: "drop:a-week-of-reviews". */
const kindNames = { issue: 'drop', section: 'section', prompt: 'prompt', guide: 'guide', tool: 'tool' } as const
const kindsByName = Object.fromEntries(Object.entries(kindNames).map(([kind, name]) => [name, kind]))

export const itemId = z
  .string()
  .max(260)
  .regex(/^[a-z]+:[^\0]+$/, 'Use an id from an earlier answer, such as "prompt:marketing-review-reply"')
  .describe('An id from an earlier answer, such as "prompt:marketing-review-reply"')

export const idOf = ({ kind, id }: { kind: string; id: string }): string =>
  `${kindNames[kind as ContentKind] ?? kind}:${id}`

/** @throws AppError not_found for a kind that doesn't exist */
export function refOf(id: string): ItemRef {
  const at = id.indexOf(':')
  const kind = kindsByName[id.slice(0, at)] as ContentKind | undefined
  if (!kind) throw new AppError('not_found')
  return { kind, id: id.slice(at + 1) }
}

/** Title and address of a published item, which anyone may know. A drop is also found by its slug. */
export async function findItem({ deps }: Assistant, { kind, id }: ItemRef) {
  const [found] = await deps.database.db
    .select({
      id: contentItems.id,
      title: contentItems.title,
      path: contentItems.path,
      parentTitle: contentItems.parentTitle,
    })
    .from(contentItems)
    .where(
      and(
        eq(contentItems.kind, kind),
        or(eq(contentItems.id, id), kind === 'issue' ? eq(contentItems.path, itemPath({ kind, id })) : undefined),
        isNull(contentItems.removedAt),
      ),
    )
  if (!found) throw new AppError('not_found')
  return found
}

/** The drop of a path in the portal, "/portal/weekly-drops/a-week-of-reviews#sort". */
export const slugOfPath = (path: string): string => /^\/portal\/weekly-drops\/([^#/]+)/.exec(path)?.[1] ?? ''
