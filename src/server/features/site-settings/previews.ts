import type { Deps } from '#server/deps.ts'
import { renderPage } from '#server/features/content/render-markdown.ts'
import { renderLanding } from '#server/http/landing-page.ts'
import { withEmailTexts } from '#server/mail/texts/email-texts.ts'
import type { SettingGroup, SettingValues } from '#shared/contracts/site-settings.ts'
import { AppError } from '#shared/errors.ts'
import { composePublication } from './apply-settings.ts'
import { emailExamples } from './email-examples.ts'
import { readLandingContent } from './landing-content.ts'
import { cleanValues, settingProblems } from './setting-fields.ts'
import { readSettings } from './setting-store.ts'

type Theme = 'light' | 'dark'

/** @throws AppError validation_failed with `problems` by setting */
function readDraft(group: SettingGroup, values: SettingValues): SettingValues {
  const cleaned = cleanValues(group, values)
  const problems = settingProblems(group, cleaned)
  const [first] = Object.values(problems)
  if (first) throw new AppError('validation_failed', { message: first, extra: { problems } })
  return cleaned
}

/** The landing page as these values would make it, in one theme and without scripts. */
export async function previewPublication(
  { database, clock, config }: Pick<Deps, 'database' | 'clock' | 'config'>,
  { values, theme }: { values: SettingValues; theme: Theme },
): Promise<{ html: string }> {
  const draft = readDraft('publication', values)
  const pages = await readSettings(database.db, 'pages')
  const html = await renderLanding(
    (choice) => readLandingContent(database.db, choice, clock(), draft),
    composePublication(draft, pages.values),
    config,
  )
  if (!html) throw new AppError('not_found', { message: 'The client isn’t built, so there is no page to show.' })
  return { html: inTheme(withoutTargets(withoutScripts(html)), theme) }
}

const withoutScripts = (html: string) =>
  html.replaceAll(/<script[\s\S]*?<\/script>/g, '').replaceAll(/<link rel="(modulepreload|manifest)"[^>]*>/g, '')

/** Links stay links and lead nowhere, because no page of ours may be shown in a frame. */
const withoutTargets = (html: string) => html.replaceAll(/(<a\b[^>]*?) href="[^"]*"/g, '$1 href="#"')

const inTheme = (html: string, theme: Theme) => html.replace('<html ', `<html data-theme="${theme}" `)

/** An email with example data. Its dark colors depend on the system, so they are turned on or off. */
export function previewEmailText(
  { config }: Pick<Deps, 'config'>,
  { values, email, theme }: { values: SettingValues; email: string; theme: Theme },
): { subject: string; html: string; text: string } {
  const draft = readDraft('emails', values)
  const example = emailExamples[email]
  if (!example) throw new AppError('not_found')
  const { subject, html, text } = withEmailTexts(draft, () => example(config.publicUrl))
  const media = theme === 'dark' ? '@media all' : '@media not all'
  return { subject, html: withoutTargets(html.replace('@media (prefers-color-scheme: dark)', media)), text }
}

/** The text of a page as HTML. */
export function previewPageText({ values, name }: { values: SettingValues; name: string }): { html: string } {
  const text = readDraft('pages', values)[name]
  return { html: text ? renderPage(text) : '' }
}
