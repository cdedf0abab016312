import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { defaultTimeZone, readTimeZone, sendingSettingsName } from '#server/db/publication-setting.ts'
import { readPlans } from '#server/features/billing/subscriptions/plan-store.ts'
import { readQuestions } from '#server/features/reader/preferences/question-store.ts'
import type { Logger } from '#server/http/logger.ts'
import { type SettingValues, settingGroups } from '#shared/contracts/publishing/site-settings.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { instantOf, localTimeOf } from '#shared/domain/zoned-time.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'
import { composeNavigation, readPageAddresses } from './compose-navigation.ts'
import { readHiddenPages, samplesRemovedKey } from './hidden-pages.ts'
import { composeLegal } from './legal-fields.ts'
import { composeLook, parseLogo, parsePicture } from './setting-fields.ts'
import { readSettings } from './setting-store.ts'

/** "2026-11-28" in the publication's time zone. */
const localDay = (now: Date, timeZone: string): string => localTimeOf(now.toISOString(), timeZone).slice(0, 10)

/** The start of the day after. */
const endOf = (day: string, timeZone: string) => {
  const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
  return instantOf(`${next}T00:00`, timeZone)
}

/** Composes the bar with these values of the group `navigation`; null on other days. The first and the last day count. */
function composeAnnouncement(values: SettingValues, now: Date, timeZone: string): Publication['announcement'] {
  const {
    'announcement.text': text = '',
    'announcement.link': href = '',
    'announcement.from': from = '',
    'announcement.until': until = '',
  } = values
  const today = localDay(now, timeZone)
  if (text === '' || today < from || (until !== '' && today > until)) return null
  // Another text is another announcement, for those who dismissed the first too.
  const id = createHash('sha256').update(`${text}\n${href}`).digest('base64url').slice(0, 10)
  return { id, text, href: href || null, until: until === '' ? null : endOf(until, timeZone) }
}

/** Settings of the group `publication` that are used as they were entered. */
const textSettings = [
  'name',
  'tagline',
  'description',
  'footer',
  'senderName',
  'accent',
  'newDrops',
  'assistants',
  'comments',
] as const satisfies readonly (keyof Publication)[]

/** The publication with these values of the groups `publication` and `pages`. `more`: what other tables and groups say. */
export function composePublication(
  values: SettingValues,
  pages: SettingValues,
  more: Partial<Publication> = {},
): Publication {
  const own = textSettings.filter((key) => values[key] !== undefined)
  const logo = parseLogo(values.logo ?? '')
  return {
    ...publicationDefaults,
    ...Object.fromEntries(own.map((key) => [key, values[key]])),
    logo,
    logoDark: logo && parseLogo(values.logoDark ?? ''),
    hidesName: logo !== null && values.logoUse === 'instead',
    look: composeLook(values),
    picture: parsePicture(values.picture ?? '', values.pictureAlt ?? ''),
    ...more,
    pages: [
      ...(['privacy', 'terms', 'accessibility'] as const).filter((name) => pages[name]),
      ...(more.legal && more.legal.withdrawal !== 'off' ? (['withdraw'] as const) : []),
    ],
  }
}

type SettingsConfig = Pick<Config, 'settings'>

/** Puts the stored settings into those that pages and emails are made with. */
export async function applySettings(db: Db | Tx, { settings }: SettingsConfig, now = new Date()): Promise<void> {
  const [publication, pages, emails, navigation, legal] = await Promise.all(
    settingGroups.map((group) => readSettings(db, group)),
  )
  const { plans, planIds } = await readPlans(db)
  const questions = await readQuestions(db)
  const addresses = await readPageAddresses(db)
  const hiddenPages = await readHiddenPages(db, pages?.values ?? {}, addresses)
  const links = composeNavigation(navigation?.values ?? {}, addresses, hiddenPages)
  const announcement = composeAnnouncement(navigation?.values ?? {}, now, await readTimeZone(db))
  const more = { plans, questions, ...links, announcement, hiddenPages, legal: composeLegal(legal?.values ?? {}) }
  settings.replace({
    publication: composePublication(publication?.values ?? {}, { ...legal?.values, ...pages?.values }, more),
    emailTexts: emails?.values ?? {},
    appIcon: parseLogo(publication?.values.icon ?? '')?.src ?? '',
    planIds,
  })
}

/** How long another node may still show what was changed. */
const refreshMs = 2_000

/** Changes with everything that `applySettings` reads. One statement, since every node repeats it. */
async function readVersions(db: Db, now: Date): Promise<string> {
  const [row] = await queryRows<{ versions: string; time_zone: string | null }>(
    db,
    sql`select (select value->>'timeZone' from publication_settings where name = ${sendingSettingsName}) as time_zone,
      concat_ws(';', (select string_agg(name || ':' || version, ',' order by name) from publication_settings),
        (select string_agg(key || ':' || version || ':' || position, ',' order by key) from plan),
        (select count(*) || ' ' || coalesce(sum(version), 0) || ' ' || max(updated_at) from site_page),
        exists (select 1 from seed_state where name = ${samplesRemovedKey})) as versions`,
  )
  // An announcement begins and ends with a day.
  return `${row?.versions} ${localDay(now, row?.time_zone ?? defaultTimeZone)}`
}

/** Applies the settings now and whenever another node has changed them. */
export async function followSettings(
  db: Db,
  config: SettingsConfig,
  logger: Pick<Logger, 'error'>,
  clock: () => Date,
): Promise<{ stop(): void }> {
  let applied = await readVersions(db, clock())
  await applySettings(db, config, clock())
  let isFailing = false
  let isRunning = false
  const refresh = async () => {
    const versions = await readVersions(db, clock())
    if (versions === applied) return
    await applySettings(db, config, clock())
    applied = versions
  }
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    refresh()
      .then(
        () => {
          isFailing = false
        },
        (error: unknown) => {
          if (!isFailing) logger.error({ err: error }, 'reading the publication’s settings failed')
          isFailing = true
        },
      )
      .finally(() => {
        isRunning = false
      })
  }, refreshMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
