import type { Db } from '#server/db/database.ts'
import { pageChecks } from '#server/features/library/content/check-content-files.ts'
import type { PageFiles, PageId } from '#server/features/library/content/content-files.ts'
import { readLinkTargets } from '#server/features/library/content/link-targets.ts'
import {
  editPage,
  type PageProblems,
  pageTexts,
  textNameAt,
  textsOf,
} from '#server/features/library/content/page-texts.ts'
import { readLandingSamples } from '#server/features/library/content/read-landing-samples.ts'
import { readMethod, readShippedPage } from '#server/features/library/content/read-pages.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import { readTrustSettings } from '#server/features/publishing/trust-pages/trust-settings.ts'
import type { LandingContent, SampleChoice } from '#shared/contracts/library/landing-samples.ts'
import type { Method } from '#shared/contracts/publishing/content-pages.ts'
import type { SettingsPage, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import type { LinkTargets } from '#shared/domain/internal-links.ts'
import { composeLandingTexts } from '#shared/domain/landing-texts.ts'
import { AppError } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { readSettings } from './setting-store.ts'

/** Content of the landing page. `draft`: unsaved values of the group `publication`, for a preview. */
export async function readLandingContent(
  db: Db,
  publication: Publication,
  choice: SampleChoice,
  now: Date,
  draft?: SettingValues,
): Promise<LandingContent> {
  const [samples, { values }, { editorName }] = await Promise.all([
    readLandingSamples(db, choice, now),
    draft ? { values: draft } : readSettings(db, 'publication'),
    readTrustSettings(db),
  ])
  return {
    ...samples,
    texts: composeLandingTexts(publication, values, samples),
    editor: editorName || null,
  }
}

/** The method page with the publisher's text, which replaces that of the content file. */
export async function readMethodPage(db: Db): Promise<Method> {
  const [method, { values }] = await Promise.all([readMethod(db), readSettings(db, 'pages')])
  return values.method ? { ...method, checkedOn: null, html: renderPage(values.method) } : method
}

const pageIds = ['glossary', 'safety', 'start-here', 'method', 'deadlines'] as const satisfies PageId[]

/** The texts of the content files, by setting. */
async function readDefaults(db: Db): Promise<Record<string, string>> {
  const read = async <Id extends PageId>(id: Id) => {
    const page = await readShippedPage(db, id)
    return page ? textsOf[id](page) : {}
  }
  const method = (await readShippedPage(db, 'method'))?.body ?? ''
  return Object.assign({ method: method.trim() }, ...(await Promise.all(pageIds.map(read))))
}

/** The defaults are the texts of the content files, which aren't known before the content is read. */
export async function withPageDefaults(db: Db, page: SettingsPage): Promise<SettingsPage> {
  const defaults = await readDefaults(db)
  const fields = page.fields.map((field) => ({ ...field, default: (defaults[field.name] ?? field.default).trim() }))
  return { ...page, fields }
}

/**
 * Leaves out texts that equal the content files', and applies the checks of content files to the others.
 * @throws AppError validation_failed with `problems` by setting
 */
export async function checkPageTexts(db: Db, values: SettingValues): Promise<SettingValues> {
  const defaults = await readDefaults(db)
  const isDefault = (name: string, value: string) => {
    const initial = Object.hasOwn(defaults, name) ? defaults[name] : undefined
    // An empty text about the method has always meant the default.
    return initial !== undefined && (value.trim() === initial.trim() || (name === 'method' && value.trim() === ''))
  }
  const edited = Object.fromEntries(Object.entries(values).filter(([name, value]) => !isDefault(name, value)))
  const problems = await findProblems(db, edited)
  const [first] = Object.values(problems)
  if (first) throw new AppError('validation_failed', { message: first, extra: { problems } })
  return edited
}

async function findProblems(db: Db, values: SettingValues): Promise<PageProblems> {
  const problems: PageProblems = {}
  for (const { name, label } of pageTexts) {
    if (values[name]?.trim() === '') problems[name] = `${label} can’t be empty. Enter a text, or use the default.`
  }
  if (Object.keys(problems).length > 0) return problems
  const targets = await readLinkTargets(db)
  const idsOf = (entries: readonly { id: string }[]) => new Set(entries.map(({ id }) => id))
  const glossary = await check(db, 'glossary', values, ({ terms }) => ({ ...targets, terms: idsOf(terms) }))
  const safety = await check(db, 'safety', values, ({ never }) => ({ ...targets, rules: idsOf(never) }))
  const others = await Promise.all(
    (['start-here', 'method', 'deadlines'] as const).map((id) => check(db, id, values, () => targets)),
  )
  return Object.assign(problems, glossary, safety, ...others)
}

async function check<Id extends PageId>(
  db: Db,
  id: Id,
  values: SettingValues,
  targetsWith: (page: PageFiles[Id]) => LinkTargets,
): Promise<PageProblems> {
  const shipped = await readShippedPage(db, id)
  if (!shipped) return {}
  const { page, changed, problems } = editPage(id, shipped, values)
  if (changed.length === 0 || Object.keys(problems).length > 0) return problems
  for (const { path, line, message } of pageChecks[id](page, targetsWith(page))) {
    const name = textNameAt(id, path)
    // Texts that the publisher left alone aren't held against them.
    if (changed.includes(name)) problems[name] ??= `${entryAt(page, path)}Line ${line}: ${message}.`
  }
  return problems
}

/** The heading of the entry that has the problem. */
function entryAt(page: object, [list, index]: readonly (string | number)[]): string {
  const entries = (page as Record<string, unknown>)[String(list)]
  const entry: unknown = Array.isArray(entries) && typeof index === 'number' ? entries[index] : null
  const { term, rule, title, label } = (entry ?? {}) as Record<string, string | undefined>
  const heading = term ?? rule ?? title ?? label
  return heading ? `“${heading}”: ` : ''
}
