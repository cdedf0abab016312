import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { readPublicationSetting } from '#server/db/publication-setting.ts'
import { contentPages } from '#server/db/schema/index.ts'
import type { GlossaryTerm, Method, Safety, StartHere } from '#shared/contracts/publishing/content-pages.ts'
import { AppError } from '#shared/errors.ts'
import { type PageFiles, type PageId, pageSchemas } from './content-files.ts'
import { editPage, pageTextsSetting } from './page-texts.ts'
import { renderMarkdown, renderPage } from './render-markdown.ts'

/** The page of the content file, without the publisher's texts; null if content/ has no such file. */
export async function readShippedPage<Id extends PageId>(db: Db | Tx, id: Id): Promise<PageFiles[Id] | null> {
  const [row] = await db.select({ page: contentPages.page }).from(contentPages).where(eq(contentPages.id, id))
  const schema: z.ZodType = pageSchemas[id]
  return row ? (schema.parse(row.page) as PageFiles[Id]) : null
}

/** A page with the texts that the publisher edited, which no one has checked on a known day. */
export async function findPage<Id extends PageId>(
  db: Db | Tx,
  id: Id,
): Promise<(Omit<PageFiles[Id], 'checkedOn'> & { checkedOn: string | null }) | null> {
  const shipped = await readShippedPage(db, id)
  if (!shipped) return null
  const { value } = await readPublicationSetting(db, pageTextsSetting)
  const { page, changed } = editPage(id, shipped, value)
  return changed.length > 0 ? { ...page, checkedOn: null } : page
}

/** @throws AppError not_found if content/ has no such file */
async function readPage<Id extends PageId>(db: Db, id: Id) {
  const page = await findPage(db, id)
  if (!page) throw new AppError('not_found')
  return page
}

export async function readGlossary(db: Db): Promise<{ checkedOn: string | null; terms: GlossaryTerm[] }> {
  const { checkedOn, terms } = await readPage(db, 'glossary')
  return {
    checkedOn,
    terms: terms
      .map(({ definition, ...term }) => ({ ...term, definitionHtml: renderMarkdown(definition) }))
      .toSorted((a, b) => a.term.localeCompare(b.term, 'en')),
  }
}

export async function readSafety(db: Db): Promise<Safety> {
  const page = await readPage(db, 'safety')
  return {
    checkedOn: page.checkedOn,
    title: page.title,
    introHtml: renderMarkdown(page.intro),
    never: page.never.map(({ why, exception, ...rule }) => ({
      ...rule,
      whyHtml: renderMarkdown(why),
      exceptionHtml: renderMarkdown(exception),
    })),
    mayGoInHtml: renderMarkdown(page.mayGoIn),
    decisionsHtml: renderMarkdown(page.decisions),
    incidentsHtml: renderMarkdown(page.incidents),
  }
}

export async function readStartHere(db: Db): Promise<StartHere> {
  const { intro, win, policy, pilot, checkedOn } = await readPage(db, 'start-here')
  const step = ({ body, ...rest }: typeof win) => ({ ...rest, html: renderMarkdown(body) })
  return { checkedOn, introHtml: renderMarkdown(intro), win: step(win), policy: step(policy), pilot: step(pilot) }
}

export async function readMethod(db: Db): Promise<Method> {
  const { body, criteria, ...page } = await readPage(db, 'method')
  return {
    ...page,
    html: renderPage(body),
    criteria: criteria.map(({ body: words, ...criterion }) => ({ ...criterion, html: renderMarkdown(words) })),
  }
}
