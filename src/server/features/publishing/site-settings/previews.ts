import type { Config } from '#server/config/config.ts'
import type { Deps } from '#server/feature.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import type { SettingGroup, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { AppError } from '#shared/errors.ts'
import { composePublication } from './apply-settings.ts'
import { emailExamples } from './email-examples.ts'
import { cleanValues, parseLogo, settingProblems } from './setting-fields.ts'
import { readOwnDefaults, readSettings } from './setting-store.ts'

export type Theme = 'light' | 'dark'

/** @throws AppError validation_failed with `problems` by setting */
function readDraft(group: SettingGroup, values: SettingValues, own: SettingValues = {}): SettingValues {
  const cleaned = cleanValues(group, values, own)
  const problems = settingProblems(group, cleaned)
  const [first] = Object.values(problems)
  if (first) throw new AppError('validation_failed', { message: first, extra: { problems } })
  return { ...own, ...cleaned }
}

/** The configuration with these unsaved values. @throws AppError validation_failed with `problems` by setting */
export async function draftConfig(
  { database: { db }, config }: Pick<Deps, 'database' | 'config'>,
  values: SettingValues,
): Promise<{ config: Config; draft: SettingValues }> {
  const draft = readDraft('publication', values, await readOwnDefaults(db, 'publication'))
  const { plans, questions, navigation, tabTitles, tabLedes, words, labels, announcement, hiddenPages } =
    config.settings.publication
  const publication = composePublication(draft, (await readSettings(db, 'pages')).values, {
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
  return { config: { ...config, settings: { ...config.settings, publication, appIcon } }, draft }
}

/** A page in one theme, without scripts. Its links lead nowhere, because no page of ours may be shown in a frame. */
export const asPreview = (html: string, theme: Theme): string =>
  withoutTargets(withoutScripts(html)).replace('<html ', `<html data-theme="${theme}" `)

/** An email in one theme. Its dark colors depend on the system, so they are turned on or off. */
export const asEmailPreview = (html: string, theme: Theme): string =>
  withoutTargets(html).replace(
    '@media (prefers-color-scheme: dark)',
    theme === 'dark' ? '@media all' : '@media not all',
  )

const withoutScripts = (html: string) =>
  html.replaceAll(/<script[\s\S]*?<\/script>/g, '').replaceAll(/<link rel="(modulepreload|manifest)"[^>]*>/g, '')

const withoutTargets = (html: string) => html.replaceAll(/(<a\b[^>]*?) href="[^"]*"/g, '$1 href="#"')

/** An email with example data. */
export function previewEmailText(
  { config }: Pick<Deps, 'config'>,
  { values, email, theme }: { values: SettingValues; email: string; theme: Theme },
): { subject: string; html: string; text: string } {
  const draft = readDraft('emails', values)
  const example = Object.hasOwn(emailExamples, email) ? emailExamples[email] : undefined
  if (!example) throw new AppError('not_found')
  const rendered = example({ ...config, settings: { ...config.settings, emailTexts: draft } })
  return { subject: rendered.subject, html: asEmailPreview(rendered.html, theme), text: rendered.text }
}

export function previewPageText({ values, name }: { values: SettingValues; name: string }): { html: string } {
  const draft = readDraft('pages', values)
  const text = Object.hasOwn(draft, name) ? draft[name] : undefined
  return { html: text ? renderPage(text) : '' }
}
