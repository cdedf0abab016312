import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#server/db/database.ts'
import { contentPages } from '#server/db/schema/index.ts'
import type { GlossaryTerm, Method, Safety, StartHere } from '#shared/contracts/publishing/content-pages.ts'
import { AppError } from '#shared/errors.ts'
import { type PageFiles, type PageId, pageSchemas } from './content-files.ts'
import { renderMarkdown, renderPage } from './render-markdown.ts'

/** @throws AppError not_found if content/ has no such file */
async function readPage<Id extends PageId>(db: Db, id: Id): Promise<PageFiles[Id]> {
  const [row] = await db.select({ page: contentPages.page }).from(contentPages).where(eq(contentPages.id, id))
  if (!row) throw new AppError('not_found')
  const schema: z.ZodType = pageSchemas[id]
  return schema.parse(row.page) as PageFiles[Id]
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

/** The page's text as Markdown; empty without the content file. */
export async function readMethodText(db: Db): Promise<string> {
  const page = await readPage(db, 'method').catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  })
  return page?.body.trim() ?? ''
}

export async function readMethod(db: Db): Promise<Method> {
  const { body, criteria, ...page } = await readPage(db, 'method')
  return {
    ...page,
    html: renderPage(body),
    criteria: criteria.map(({ body: words, ...criterion }) => ({ ...criterion, html: renderMarkdown(words) })),
  }
}
