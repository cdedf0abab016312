import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { mediaImage, publicationSettings, publicationSettingVersions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, editorLabel, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import type {
  SettingField,
  SettingGroup,
  SettingsPage,
  SettingValues,
  SettingVersion,
} from '#shared/contracts/publishing/site-settings.ts'
import type { Change } from '#shared/domain/changed-fields.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { AppError, conflictOf } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { readSamplesRemoved } from './hidden-pages.ts'
import { cleanValues, settingFields, settingProblems } from './setting-fields.ts'

/** Defaults while the samples are removed: texts of the default publication go with them, until the publisher writes others. */
export const textsWithoutSamples: Partial<Record<SettingGroup, SettingValues>> = {
  publication: {
    tagline: 'A newsletter and its archive',
    description: 'A newsletter, and everything it has published, for its members.',
    'landing.heroTitle': '{publication}',
    'landing.heroText':
      'By email, and here with everything we have published. Read what is open, or join to read it all.',
    'landing.samplesTitle': 'Have a look before you decide',
    'landing.dropsText': 'By email and on this site, from the latest to the first.',
    'landing.promptsText': 'Ready to copy.',
    'landing.guidesText': 'To read, download and print.',
    'landing.toolsText': 'What we recommend, and why.',
    'landing.answer1':
      'Everything we publish, by email and in the members’ portal. Earlier issues are there from day one.',
    'landing.question2': '',
    'landing.answer2': '',
    'landing.question3': '',
    'landing.answer3': '',
    'landing.question4': '',
    'landing.answer4': '',
  },
  navigation: { 'lede.weekly-drops': '', 'lede.prompt-packs': '', 'lede.guides': '', 'lede.tools': '' },
}

const historyPageSize = 20
const storedSchema = z.record(z.string(), z.unknown()).catch({})

type Stored = { version: number; values: SettingValues }

/** Defaults of a publication without the samples. */
export async function readOwnDefaults(db: Db | Tx, group: SettingGroup): Promise<SettingValues> {
  const texts = textsWithoutSamples[group]
  return texts && (await readSamplesRemoved(db)) ? texts : {}
}

/** Settings that a later release has removed, and values that can't be saved, are left out: their defaults apply. */
export async function readSettings(db: Db | Tx, group: SettingGroup): Promise<Stored> {
  const own = await readOwnDefaults(db, group)
  const [row] = await db
    .select({ version: publicationSettings.version, value: publicationSettings.value })
    .from(publicationSettings)
    .where(eq(publicationSettings.name, group))
  return { version: row?.version ?? 0, values: { ...own, ...(row && knownValues(group, row.value, own)) } }
}

function knownValues(group: SettingGroup, stored: unknown, own: SettingValues): SettingValues {
  const entries = Object.entries(storedSchema.parse(stored)).filter(([, value]) => typeof value === 'string')
  // Rows can come from an archive, so they are checked as if someone had entered them.
  const values = cleanValues(group, Object.fromEntries(entries) as SettingValues, own)
  const problems = settingProblems(group, values)
  return Object.fromEntries(Object.entries(values).filter(([name]) => problems[name] === undefined))
}

/**
 * Saves all values of a group as a new version.
 * @throws AppError validation_failed with `problems` by setting; edit_conflict with the newer version as `current`
 */
export async function saveSettings(
  deps: Pick<Deps, 'database' | 'clock'>,
  group: SettingGroup,
  save: Stored,
  who: Actor,
): Promise<void> {
  const own = await readOwnDefaults(deps.database.db, group)
  const values = cleanValues(group, save.values, own)
  const problems = settingProblems(group, values)
  for (const name of ['logo', 'logoDark', 'icon', 'picture'] as const) {
    const image = values[name]
    if (image && !problems[name] && !(await isUploaded(deps.database.db, image))) {
      problems[name] = `This ${name === 'logoDark' ? 'logo' : name} was deleted. Upload it again.`
    }
  }
  const [first] = Object.values(problems)
  if (first) throw new AppError('validation_failed', { message: first, extra: { problems } })
  await deps.database.db.transaction(async (tx) => {
    const now = deps.clock()
    const before = await readSettings(tx, group)
    if (before.version !== save.version) throw conflictOf(before)
    const changes = changesOf(before.values, { ...own, ...values })
    if (changes.length === 0) return
    const row = { value: values, version: before.version + 1, updatedAt: now, ...updatedBy(who) }
    const [written] =
      before.version === 0
        ? await tx
            .insert(publicationSettings)
            .values({ name: group, ...row })
            .onConflictDoNothing()
            .returning()
        : await tx
            .update(publicationSettings)
            .set(row)
            .where(and(eq(publicationSettings.name, group), eq(publicationSettings.version, before.version)))
            .returning()
    if (!written) throw conflictOf(await readSettings(tx, group))
    await tx
      .insert(publicationSettingVersions)
      .values({ name: group, version: row.version, value: values, createdAt: now, ...createdBy(who) })
    if (group === 'pages') await syncContentItems(tx, now, { kind: 'page' })
    await recordAdminEvent(tx, who, { event: 'publication_settings_changed', changes: named(group, changes), now })
  })
}

/** Unlike a default, an empty text is a value. */
const changesOf = (before: SettingValues, after: SettingValues): Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .filter((name) => before[name] !== after[name])
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))

async function isUploaded(db: Db, images: string): Promise<boolean> {
  const hashes = new Set([...images.matchAll(/\/media\/([0-9a-f]{64})/g)].map(([, hash = '']) => hash))
  const found = await db
    .select()
    .from(mediaImage)
    .where(inArray(mediaImage.hash, [...hashes]))
  return hashes.size > 0 && found.length === hashes.size
}

/** For the staff log: fields such as "emails.confirmation.subject", and defaults as their text. */
function named(group: SettingGroup, changes: readonly Change[]): Change[] {
  const defaults = new Map(settingFields(group).map((field) => [field.name, field.default || null]))
  return changes.map(({ field, before, after }) => ({
    field: `${group}.${field}`,
    before: before ?? defaults.get(field) ?? null,
    after: after ?? defaults.get(field) ?? null,
  }))
}

/** A field as its form shows it, with a text of ours in the publisher's words. The name of a tab decides on them. */
function inWords(publication: Publication, field: SettingField, ownDefault = field.default): SettingField {
  const { label, hint, name, section } = field
  const own = (text: string) => inOwnWords(publication, text)
  return {
    ...field,
    ...{ label: own(label), hint: own(hint), section: own(section) },
    default: name === 'tabs' ? field.default : own(ownDefault),
  }
}

export async function readSettingsPage(
  db: Db,
  publication: Publication,
  group: SettingGroup,
  historyBefore: number | undefined,
): Promise<SettingsPage> {
  const rows = await db
    .select({
      version: publicationSettingVersions.version,
      value: publicationSettingVersions.value,
      savedAt: publicationSettingVersions.createdAt,
      savedBy: editorLabel(publicationSettingVersions.createdBy, publicationSettingVersions.createdById),
    })
    .from(publicationSettingVersions)
    .where(
      and(
        eq(publicationSettingVersions.name, group),
        historyBefore ? lt(publicationSettingVersions.version, historyBefore) : undefined,
      ),
    )
    .orderBy(desc(publicationSettingVersions.version))
    .limit(historyPageSize + 1)
  const own = await readOwnDefaults(db, group)
  const versions = rows.map((row) => ({ ...row, values: knownValues(group, row.value, own) }))
  const history = versions.slice(0, historyPageSize).map(
    ({ version, values, savedAt, savedBy }, index): SettingVersion => ({
      version,
      values,
      savedAt: savedAt.toISOString(),
      savedBy,
      changes: changesOf(versions[index + 1]?.values ?? {}, values),
    }),
  )
  const { version, values } = await readSettings(db, group)
  const fields = settingFields(group).map((field) => inWords(publication, field, own[field.name]))
  return { version, values, fields, history, hasOlder: rows.length > historyPageSize }
}
