import { html, raw } from 'hono/html'
import type { Config } from '#server/config/config.ts'
import type { Deps } from '#server/feature.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import { renderLanding } from '#server/http/landing-page.ts'
import { type Markup, pageLayout } from '#server/pages/page-layout.ts'
import { pageStyles, pageStylesPath } from '#server/pages/page-styles.ts'
import type { PreviewPart, SettingGroup, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { AppError } from '#shared/errors.ts'
import { composePublication } from './apply-settings.ts'
import { emailExamples, welcomeExample } from './email-examples.ts'
import { readLandingContent } from './page-texts.ts'
import { cleanValues, parseLogo, settingProblems } from './setting-fields.ts'
import { readOwnDefaults, readSettings } from './setting-store.ts'

type Theme = 'light' | 'dark'

/** @throws AppError validation_failed with `problems` by setting */
function readDraft(group: SettingGroup, values: SettingValues, own: SettingValues = {}): SettingValues {
  const cleaned = cleanValues(group, values, own)
  const problems = settingProblems(group, cleaned)
  const [first] = Object.values(problems)
  if (first) throw new AppError('validation_failed', { message: first, extra: { problems } })
  return { ...own, ...cleaned }
}

/** The landing page, another page or an email as these values would make it, in one theme and without scripts. */
export async function previewPublication(
  { database, clock, config }: Pick<Deps, 'database' | 'clock' | 'config'>,
  { values, theme, part }: { values: SettingValues; theme: Theme; part: PreviewPart },
): Promise<{ html: string }> {
  const draft = readDraft('publication', values, await readOwnDefaults(database.db, 'publication'))
  const { plans, questions, navigation, tabTitles, tabLedes, words, labels, announcement, hiddenPages } =
    config.settings.publication
  const publication = composePublication(draft, (await readSettings(database.db, 'pages')).values, {
    plans,
    questions,
    navigation,
    tabTitles,
    tabLedes,
    words,
    labels,
    announcement,
    hiddenPages,
  })
  const appIcon = parseLogo(draft.icon ?? '')?.src ?? ''
  const previewed = { ...config, settings: { ...config.settings, publication, appIcon } }
  if (part === 'email') {
    const { html } = welcomeExample(previewed)
    return { html: withoutTargets(emailInTheme(html, theme)) }
  }
  if (part === 'pages') {
    return { html: inTheme(withoutTargets(String(await samplePage(previewed))), theme) }
  }
  const html = await renderLanding(
    (choice) => readLandingContent(database.db, publication, choice, clock(), draft),
    previewed,
  )
  if (!html) throw new AppError('not_found', { message: 'The client isn’t built, so there is no page to show.' })
  return { html: inTheme(withoutTargets(withoutScripts(html)), theme) }
}

/** The header, footer and colors that all pages share, and the browser's tab. */
function samplePage(config: Config): Markup {
  const { publication, appIcon } = config.settings
  const { name, tagline, plans } = publication
  const title = `${name}: ${tagline}`
  const main = html`<p class="note"><img src="${appIcon || '/favicon.svg'}" width="16" height="16" alt=""> ${title}</p>
    <h1>${name}</h1>
    <p class="lead">${tagline}.</p>
    <p>Plans are called ${Object.values(plans).map((plan, at) => html`${at > 0 ? ', ' : ''}${plan.name}`)}. A <a href="/">link</a> looks like this.</p>
    <p><a class="button" href="/">Button</a></p>`
  return withInlineStyles(
    pageLayout({ title, main, shape: 'wide', config: { ...config, mode: 'production' } }),
    pageStyles(publication),
  )
}

/** The stylesheet has the saved accent color, and the preview an unsaved one. */
async function withInlineStyles(page: Markup, styles: string): Promise<ReturnType<typeof raw>> {
  const link = `<link rel="stylesheet" href="${pageStylesPath}">`
  return raw(String(await page).replace(link, () => `<style>${styles}</style>`))
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
  const example = Object.hasOwn(emailExamples, email) ? emailExamples[email] : undefined
  if (!example) throw new AppError('not_found')
  const rendered = example({ ...config, settings: { ...config.settings, emailTexts: draft } })
  return { subject: rendered.subject, html: withoutTargets(emailInTheme(rendered.html, theme)), text: rendered.text }
}

const emailInTheme = (email: string, theme: Theme) =>
  email.replace('@media (prefers-color-scheme: dark)', theme === 'dark' ? '@media all' : '@media not all')

export function previewPageText({ values, name }: { values: SettingValues; name: string }): { html: string } {
  const draft = readDraft('pages', values)
  const text = Object.hasOwn(draft, name) ? draft[name] : undefined
  return { html: text ? renderPage(text) : '' }
}
