import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { contentPages } from '#server/db/schema/index.ts'
import { type TranslationFile, translationsSchema } from './content-files.ts'

/** Row of `content_pages` with the translations of content/, by language. */
export const translationsId = 'translations'

export type ItemText = {
  title: string
  /** When to use a prompt, or the summary of a section. */
  lead: string
  /** A prompt, or Markdown. */
  body: string
  checks: readonly string[]
}

/** Tells whether an item is still the one that was translated. */
export const fingerprintOf = ({ title, lead, body, checks }: ItemText): string =>
  createHash('sha256')
    .update(JSON.stringify([title, lead, body, ...checks].map((text) => text.trim())))
    .digest('hex')
    .slice(0, 16)

export type Translation = ItemText &
  Pick<TranslationFile[number], 'translator' | 'translatedOn' | 'answersInLanguage'> & {
    /** True if the original has changed since. */
    isStale: boolean
  }

const storedSchema = z.record(z.string(), translationsSchema)

/** An item in another language; null if there is none. */
export async function readTranslation(
  db: Db | Tx,
  language: string,
  { kind, id, ...original }: ItemText & { kind: string; id: string },
): Promise<Translation | null> {
  const [row] = await db
    .select({ page: contentPages.page })
    .from(contentPages)
    .where(eq(contentPages.id, translationsId))
  const all = storedSchema.catch({}).parse(row?.page)
  const found = all[language]?.find((item) => item.kind === kind && item.id === id)
  if (!found) return null
  const { check, of, ...translation } = found
  return { ...translation, checks: check, isStale: of !== fingerprintOf(original) }
}
