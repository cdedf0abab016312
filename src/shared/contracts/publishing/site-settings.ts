import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'

/** Settings that are saved together, with one version and one history. */
export const settingGroups = ['publication', 'pages', 'emails', 'navigation', 'legal'] as const
export type SettingGroup = (typeof settingGroups)[number]

/** Values that the publisher entered, by setting. A setting that isn't here has its default. */
const settingValuesSchema = z.record(z.string().max(80), z.string().max(40_000))
export type SettingValues = z.infer<typeof settingValuesSchema>

const settingFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  /** Heading that it is below. */
  section: z.string(),
  kind: z.enum(['line', 'text', 'markdown', 'lines', 'color', 'logo', 'icon', 'picture', 'choice', 'links', 'date']),
  default: z.string(),
  hint: z.string(),
  maxLength: z.number().int(),
  /** Names of the fields that the text may have, such as "plan" for `{plan}`. */
  fields: z.array(z.string()),
  /** Present if the setting is a choice, or links, for which they are pages to choose from. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
})
export type SettingField = z.infer<typeof settingFieldSchema>

const settingVersionSchema = z.object({
  version: z.int32(),
  savedAt: z.string(),
  /** Email address or name. */
  savedBy: z.string().nullable(),
  values: settingValuesSchema,
  /** Null stands for the default. */
  changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type SettingVersion = z.infer<typeof settingVersionSchema>

export const settingsPageSchema = z.object({
  /** 0 until they are saved for the first time. */
  version: z.int32(),
  values: settingValuesSchema,
  fields: z.array(settingFieldSchema),
  /** Newest first. */
  history: z.array(settingVersionSchema),
  hasOlder: z.boolean(),
})
export type SettingsPage = z.infer<typeof settingsPageSchema>

const input = z.object({
  /** `version` is the one that the values are based on. Reads the settings if `save` is missing. */
  save: z.object({ version: z.int32().min(0), values: settingValuesSchema }).optional(),
  /** Continues the history before this version. */
  historyBefore: z.int32().positive().optional(),
})

/** The publication's name, look, plans and landing page. */
export const adminPublicationSettingsCall = defineAdminCall({
  name: 'admin-publication-settings',
  roles: ['owner'],
  stepUp: 'save',
  input,
  output: settingsPageSchema,
})

/** The privacy policy, the terms, and the opening of the method page. */
export const adminPageSettingsCall = defineAdminCall({
  name: 'admin-page-settings',
  roles: ['owner', 'editor'],
  stepUp: 'save',
  input,
  output: settingsPageSchema,
})

/** The texts of account and billing emails. */
export const adminEmailSettingsCall = defineAdminCall({
  name: 'admin-email-settings',
  roles: ['owner'],
  stepUp: 'save',
  input,
  output: settingsPageSchema,
})

/** Tabs, header, footers, the names of buttons, and the announcement. */
export const adminNavigationSettingsCall = defineAdminCall({
  name: 'admin-navigation-settings',
  roles: ['owner'],
  stepUp: 'save',
  input,
  output: settingsPageSchema,
})

/** What laws ask: withdrawal, consent, notices, the accessibility statement. */
export const adminLegalSettingsCall = defineAdminCall({
  name: 'admin-legal-settings',
  roles: ['owner'],
  stepUp: 'save',
  input,
  output: settingsPageSchema,
})

const theme = z.enum(['light', 'dark'])

/** Pages and emails in the preview of the publication's settings: these appear in all of them. */
export const previewParts = { landing: 'Landing page', drop: 'A drop', email: 'Email' } as const

/** Sections of the publication's settings that belong to its design. */
export const designSections: readonly string[] = [
  'Design',
  'Type, color and shape',
  'Logo and icon',
  'Picture of the landing page',
]
export type PreviewPart = keyof typeof previewParts

/** A whole page or email as HTML, without scripts. */
export const adminPreviewPublicationCall = defineAdminCall({
  name: 'admin-preview-publication',
  roles: ['owner'],
  input: z.object({
    values: settingValuesSchema,
    theme,
    part: z.enum(Object.keys(previewParts) as [PreviewPart]).default('landing'),
  }),
  output: z.object({ html: z.string() }),
})

export const adminPreviewPageCall = defineAdminCall({
  name: 'admin-preview-page',
  roles: ['owner', 'editor'],
  input: z.object({ values: settingValuesSchema, name: z.string().max(80), theme }),
  output: z.object({ html: z.string() }),
})

/** An email with example data. */
export const adminPreviewEmailTextCall = defineAdminCall({
  name: 'admin-preview-email-text',
  roles: ['owner'],
  input: z.object({ values: settingValuesSchema, email: z.string().max(80), theme }),
  output: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
})
